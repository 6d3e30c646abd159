import type { Cast, HandsetGroup, PeopleGroup } from "./cast.js";
import { Homes, Roster } from "./roster.js";
import { lastIndexWhere, type Streams } from "../../sim/index.js";

/** One of several parts of a fleet; each is played by a separate process. */
export interface Part {
  /** From 1. */
  readonly index: number;
  /** Number of parts. */
  readonly count: number;
}

/** The members of one group of handsets that are in a part: `count` of them from `firstMember` on. */
export interface PartRange {
  readonly group: HandsetGroup;
  /** Counted from 0 within the group. */
  readonly firstMember: number;
  readonly firstPlace: number;
  readonly count: number;
}

/**
 * Assigns handsets and people to the parts of a fleet.
 *
 * Each group of handsets is cut into one range per part, so all parts have the same mixture. Remainders go to the parts
 * in turn, so the sizes of two parts differ by at most one handset. A person is in the part of the home handset.
 */
export class Parts {
  readonly count: number;
  readonly handsets: Roster<HandsetGroup>;
  readonly people: Roster<PeopleGroup>;
  readonly homes: Homes;
  /** For each group: the first member of each range, followed by the group's count. */
  readonly #cuts: readonly (readonly number[])[];
  readonly #firsts: readonly number[];
  readonly #groups: ReadonlyMap<HandsetGroup, number>;

  constructor({ cast, count, streams }: { readonly cast: Cast; readonly count: number; readonly streams: Streams }) {
    this.count = count;
    this.handsets = new Roster(cast.handsets, streams);
    this.people = new Roster(cast.people, streams);
    this.homes = new Homes(this.handsets, this.people);
    const firsts: number[] = [];
    let first = 0;
    this.#cuts = cast.handsets.map((group) => {
      firsts.push(first);
      const turn = first % count;
      first += group.count;
      return cutsOf(group.count, count, turn);
    });
    this.#firsts = firsts;
    this.#groups = new Map(cast.handsets.map((group, index) => [group, index]));
  }

  /** The part of a handset, by its place in the list of all. */
  ofHandset(place: number): number {
    const { group, member } = this.handsets.memberAt(place);
    const cuts = this.#cuts[this.#groups.get(group) as number] as readonly number[];
    return lastIndexWhere(this.count, (index) => (cuts[index] as number) <= member) + 1;
  }

  /** The part of a person: that of the home handset. */
  ofPerson(place: number): number {
    return this.ofHandset(this.homes.homeOf(place));
  }

  /** The handsets of a part, group by group, without groups that have none in it. */
  rangesOf(part: number): PartRange[] {
    return this.handsets.groups.flatMap((group, index) => {
      const cuts = this.#cuts[index] as readonly number[];
      const firstMember = cuts[part - 1] as number;
      const count = (cuts[part] as number) - firstMember;
      const firstPlace = (this.#firsts[index] as number) + firstMember;
      return count === 0 ? [] : [{ group, firstMember, firstPlace, count }];
    });
  }
}

/** The first members of a group's ranges. The parts from `turn` on get one member of the remainder each. */
function cutsOf(members: number, count: number, turn: number): number[] {
  const each = Math.floor(members / count);
  const rest = members % count;
  const cuts = [0];
  for (let part = 0; part < count; part++) {
    const getsExtra = (part - turn + count) % count < rest;
    cuts.push((cuts[part] as number) + each + (getsExtra ? 1 : 0));
  }
  return cuts;
}
