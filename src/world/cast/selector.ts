import type { Stream, Streams } from "../../sim/index.js";

/**
 * Members of one group of handsets or people: `clinic`, `clinic/3`, `clinic/0..19`, `10% of clinic`.
 * Members count from 0, both ends included. `share` (above 0, up to 1) draws that part of them by the seed, at least
 * one.
 */
export interface Selector {
  readonly group: string;
  readonly from: number;
  readonly to: number;
  readonly share?: number;
}

/** The person with a phone number: of the cast, or a guest who is added at the first use of the number. */
export interface PhoneOwner {
  /** E.164. */
  readonly phone: string;
}

/** People: members of a group, or the one with a number. */
export type PeopleChoice = Selector | PhoneOwner;

/** The places of a group's members in the list of all handsets or of all people. */
export interface GroupPlace {
  readonly name: string;
  readonly first: number;
  readonly count: number;
}

/** The places of the selected members in the list of all, ascending. */
export function resolveSelector(selector: Selector, place: GroupPlace, streams: Streams): number[] {
  const members: number[] = [];
  for (let member = selector.from; member <= selector.to; member++) members.push(place.first + member);
  if (selector.share === undefined) return members;
  const wanted = Math.max(1, Math.round(members.length * selector.share));
  return drawSubset(members, wanted, streams.get(`share/${selector.share}/${selector.group}`));
}

/** Draws `wanted` members uniformly, in ascending order (selection sampling). */
function drawSubset(members: readonly number[], wanted: number, stream: Stream): number[] {
  const chosen: number[] = [];
  let left = members.length;
  for (const member of members) {
    if (stream.next() * left < wanted - chosen.length) chosen.push(member);
    left--;
  }
  return chosen;
}
