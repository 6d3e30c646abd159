import type { Stream, Streams } from "../../sim/index.js";

/**
 * Members of one group of handsets or people: `clinic`, `clinic/3`, `clinic/0..19`, `10% of clinic`.
 * Members count from 0, both ends included. `share` (above 0, up to 1) draws that part of them by the seed, at least
 * one.
 */
export interface GroupSelector {
  readonly group: string;
  readonly from: number;
  readonly to: number;
  readonly share?: number;
  readonly drawn?: Draw;
}

/** Members of several groups, none of them twice. `share` draws that part of all of them. */
export interface ListSelector {
  /** They have no `share` of their own when the list has one. */
  readonly parts: readonly GroupSelector[];
  /** The list is of all groups: `all`. */
  readonly isAll?: true;
  readonly share?: number;
  readonly drawn?: Draw;
}

/**
 * When a share is drawn. Absent: once, for the whole run. `each-time`: again for each execution of a step; before
 * `drawSelector` has made the selector of an execution, it selects all members. `{ stream }`: for the execution that
 * `stream` names.
 */
export type Draw = "each-time" | { readonly stream: string };

/** Handsets, or people. */
export type Selector = GroupSelector | ListSelector;

/** The person with a phone number: of the cast, or a guest who is added at the first use of the number. */
export interface PhoneOwner {
  /** E.164. */
  readonly phone: string;
}

/** People: members of groups, or the one with a number. */
export type PeopleChoice = Selector | PhoneOwner;

/** Finds the place of the first member of a group in the list of all handsets or of all people. */
export type FindFirst = (group: string) => number;

/** The selectors of single groups that a selector consists of. */
export function groupsOf(selector: Selector): readonly GroupSelector[] {
  return "parts" in selector ? selector.parts : [selector];
}

/** The number of members that a selector selects, whatever the seed. */
export function countSelected(selector: Selector): number {
  const { share } = selector;
  const count =
    "parts" in selector
      ? selector.parts.reduce((sum, part) => sum + countSelected(part), 0)
      : selector.to - selector.from + 1;
  return share === undefined ? count : Math.max(1, Math.round(count * share));
}

/** Whether a value of an input is a selector. */
export function isSelector(value: unknown): value is Selector {
  return typeof value === "object" && value !== null && ("parts" in value || ("group" in value && "to" in value));
}

/** Whether the selector has a share that is drawn for each execution of a step. */
export function isDrawnEachTime(selector: Selector): boolean {
  return selector.drawn === "each-time" || groupsOf(selector).some(({ drawn }) => drawn === "each-time");
}

/** The selector for one execution of a step: it draws each `each-time` share. @param stream - names the execution */
export function drawSelector(selector: Selector, stream: string): Selector {
  const drawn = { stream };
  const ofGroup = (one: GroupSelector): GroupSelector => (one.drawn === "each-time" ? { ...one, drawn } : one);
  if (!("parts" in selector)) return ofGroup(selector);
  return { ...selector, parts: selector.parts.map(ofGroup), ...(selector.drawn === "each-time" && { drawn }) };
}

/** A selector as a scenario spells it. @param groups - with their counts: a whole group is spelled by its name alone */
export function selectorText(
  selector: Selector,
  groups: readonly { readonly name: string; readonly count: number }[] = [],
): string {
  const ofGroup = ({ group, from, to }: GroupSelector): string => {
    if (from === 0 && groups.some(({ name, count }) => name === group && count === to + 1)) return group;
    return from === to ? `${group}/${from}` : `${group}/${from}..${to}`;
  };
  if (!("parts" in selector)) return shareText(selector, ofGroup(selector));
  if (selector.isAll === true) return shareText(selector, "all");
  return `[${selector.parts.map((part) => shareText(part, ofGroup(part))).join(", ")}]`;
}

/** The members, and the share if there is one: `10% of clinic each time`. */
function shareText({ share, drawn }: Pick<Selector, "share" | "drawn">, members: string): string {
  if (share === undefined) return members;
  return `${Number((share * 100).toPrecision(6))}% of ${members}${drawn === undefined ? "" : " each time"}`;
}

/** The places of the selected members in the list of all, ascending. */
export function resolveSelector(selector: Selector, firstOf: FindFirst, streams: Streams): number[] {
  if (!("parts" in selector))
    return drawShare(placesIn(selector, firstOf), selector, { name: selector.group, streams });
  const places = selector.parts.flatMap((part) => resolveSelector(part, firstOf, streams)).toSorted((a, b) => a - b);
  return drawShare(places, selector, { name: "all", streams });
}

function placesIn({ group, from, to }: GroupSelector, firstOf: FindFirst): number[] {
  const first = firstOf(group);
  return Array.from({ length: to - from + 1 }, (_, index) => first + from + index);
}

function drawShare(
  members: number[],
  { share, drawn }: Pick<Selector, "share" | "drawn">,
  { name, streams }: { readonly name: string; readonly streams: Streams },
): number[] {
  if (share === undefined || drawn === "each-time") return members;
  const wanted = Math.max(1, Math.round(members.length * share));
  const execution = drawn === undefined ? "" : `/${drawn.stream}`;
  return drawSubset(members, wanted, streams.get(`share/${share}/${name}${execution}`));
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
