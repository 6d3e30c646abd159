import { lastIndexWhere, type Streams } from "../../sim/index.js";
import { memberOf, phoneOf, type HandsetGroup, type PeopleGroup, type PhonePattern } from "./cast.js";
import { groupsOf, resolveSelector, type Selector } from "./selector.js";

interface Group {
  readonly name: string;
  readonly count: number;
  readonly phone: PhonePattern;
}

/** Selected members, by their places in the list of all, ascending. */
export interface RosterSelection {
  readonly count: number;
  /** The place of the nth selected member, from 0. */
  at(index: number): number;
  /** Index of a place among the selected ones, from 0; -1 when it is not selected. */
  indexOf(place: number): number;
}

/** Numbers per chunk of the cache. */
const CHUNK = 1024;

/** All handsets, or all people, with their groups, names and numbers. Members take no memory until they are used. */
export class Roster<G extends Group> {
  readonly groups: readonly G[];
  /** Members of the cast; guests have the places after them. */
  readonly count: number;
  /** Numbers of guests, in order of arrival. */
  readonly #guests: string[] = [];
  readonly #guestPlaces = new Map<string, number>();
  /** Cache of numbers, in chunks of places. Returning the same string object makes later map lookups by it cheaper. */
  readonly #phones: (string | undefined)[][] = [];
  readonly #firsts: number[] = [];
  readonly #streams: Streams;
  /** Weak, because a step whose values vary makes a selector for each member, which is used once. */
  readonly #selections = new WeakMap<Selector, RosterSelection>();
  /** Cache of the last selection: each arrival of a traffic entry requests the same one. */
  #last: { readonly selector: Selector; readonly selection: RosterSelection } | undefined;

  constructor(groups: readonly G[], streams: Streams) {
    this.groups = groups;
    this.#streams = streams;
    let count = 0;
    for (const group of groups) {
      this.#firsts.push(count);
      count += group.count;
    }
    this.count = count;
  }

  /** Adds a guest with an unused number. @returns the place, after those of the cast */
  addGuest(phone: string): number {
    const place = this.count + this.#guests.push(phone) - 1;
    this.#guestPlaces.set(phone, place);
    return place;
  }

  /** Numbers of guests, in order of arrival. */
  get guests(): readonly string[] {
    return this.#guests;
  }

  isGuest(place: number): boolean {
    return place >= this.count;
  }

  /**
   * The group of a place and the member's number in it.
   *
   * @throws RangeError for a place outside the cast
   */
  memberAt(place: number): { readonly group: G; readonly member: number } {
    const index = lastIndexWhere(this.groups.length, (one) => (this.#firsts[one] as number) <= place);
    const group = this.groups[index];
    const member = place - (this.#firsts[index] ?? 0);
    if (group === undefined || !(member >= 0 && member < group.count)) {
      throw new RangeError(`place must be 0..${this.count - 1}, got ${place}`);
    }
    return { group, member };
  }

  /** The name, such as `clinic/3`; a guest's name is the number. */
  nameAt(place: number): string {
    const guest = this.#guests[place - this.count];
    if (guest !== undefined) return guest;
    const { group, member } = this.memberAt(place);
    return `${group.name}/${member}`;
  }

  phoneAt(place: number): string {
    if (place >= this.count) return this.nameAt(place);
    const chunk = (this.#phones[Math.floor(place / CHUNK)] ??= []);
    return (chunk[place % CHUNK] ??= this.#writePhone(place));
  }

  #writePhone(place: number): string {
    const { group, member } = this.memberAt(place);
    return phoneOf(group.phone, member);
  }

  /** The member with a number; the first of several with one short code. Nobody has a withheld number. */
  placeOf(phone: string): number | undefined {
    if (phone === "") return undefined; // withheld
    for (const [index, group] of this.groups.entries()) {
      const member = memberOf(group, phone);
      if (member !== undefined) return (this.#firsts[index] as number) + member;
    }
    return this.#guestPlaces.get(phone);
  }

  /** @throws RangeError when there is no such group */
  select(selector: Selector): RosterSelection {
    if (this.#last?.selector === selector) return this.#last.selection;
    let selection = this.#selections.get(selector);
    if (selection === undefined) {
      const [only] = groupsOf(selector);
      selection =
        only !== undefined && !("parts" in selector) && selector.share === undefined
          ? new RangeSelection(this.#firstOf(only.group) + only.from, only.to - only.from + 1)
          : selectionOf(resolveSelector(selector, (group) => this.#firstOf(group), this.#streams));
      this.#selections.set(selector, selection);
    }
    this.#last = { selector, selection };
    return selection;
  }

  /** The place of a group's first member. */
  #firstOf(name: string): number {
    const index = this.groups.findIndex((group) => group.name === name);
    if (index === -1) throw new RangeError(`no group is named '${name}'`);
    return this.#firsts[index] as number;
  }
}

function selectionOf(places: readonly number[]): RosterSelection {
  const [first = 0] = places;
  const isRange = places.at(-1) === first + places.length - 1;
  return isRange ? new RangeSelection(first, places.length) : new ListSelection(places);
}

/** Consecutive places. */
class RangeSelection implements RosterSelection {
  readonly count: number;
  readonly #first: number;

  constructor(first: number, count: number) {
    this.#first = first;
    this.count = count;
  }

  at(index: number): number {
    return this.#first + index;
  }

  indexOf(place: number): number {
    const index = place - this.#first;
    return index >= 0 && index < this.count ? index : -1;
  }
}

class ListSelection implements RosterSelection {
  readonly #places: readonly number[];
  readonly #indexes: ReadonlyMap<number, number>;

  constructor(places: readonly number[]) {
    this.#places = places;
    this.#indexes = new Map(places.map((place, index) => [place, index]));
  }

  get count(): number {
    return this.#places.length;
  }

  at(index: number): number {
    const place = this.#places[index];
    if (place === undefined) throw new RangeError(`index must be 0..${this.count - 1}, got ${index}`);
    return place;
  }

  indexOf(place: number): number {
    return this.#indexes.get(place) ?? -1;
  }
}

/** The places of a selection as a list. */
export function placesOf(selection: RosterSelection): number[] {
  return Array.from({ length: selection.count }, (_, index) => selection.at(index));
}

/** The home handset of each person: person i of P belongs to handset floor(i × H / P) of the H that the group names. */
export class Homes {
  readonly #handsets: Roster<HandsetGroup>;
  readonly #people: Roster<PeopleGroup>;
  /** Cache: the group of the last lookup, as consecutive lookups mostly concern one group. */
  #last: { readonly first: number; readonly count: number; readonly handsets: RosterSelection } | undefined;

  constructor(handsets: Roster<HandsetGroup>, people: Roster<PeopleGroup>) {
    this.#handsets = handsets;
    this.#people = people;
  }

  /** The place of a person's home handset. */
  homeOf(person: number): number {
    let last = this.#last;
    if (last === undefined || person < last.first || person >= last.first + last.count) {
      const { group, member } = this.#people.memberAt(person);
      last = { first: person - member, count: group.count, handsets: this.#handsets.select(group.of) };
      this.#last = last;
    }
    const { first, count, handsets } = last;
    return handsets.at(Math.floor(((person - first) * handsets.count) / count));
  }

  /** Whether any of the selected people have their home at a handset. */
  hasResidents(handset: number, people: RosterSelection): boolean {
    return this.residentsOf(handset, people).length > 0;
  }

  /** The selected people whose home is a handset. */
  residentsOf(handset: number, people: RosterSelection): number[] {
    const residents: number[] = [];
    // Each round handles the selected people of one group.
    for (let next = 0; next < people.count;) {
      const { group, member } = this.#people.memberAt(people.at(next));
      const groupFirst = people.at(next) - member;
      this.#addResidents(residents, { handset, people, group, groupFirst });
      const groupEnd = groupFirst + group.count;
      if (people.at(people.count - 1) < groupEnd) break;
      next = firstIndexFrom(people, groupEnd);
    }
    return residents;
  }

  #addResidents(
    residents: number[],
    {
      handset,
      people,
      group,
      groupFirst,
    }: {
      readonly handset: number;
      readonly people: RosterSelection;
      readonly group: PeopleGroup;
      readonly groupFirst: number;
    },
  ): void {
    const handsets = this.#handsets.select(group.of);
    const index = handsets.indexOf(handset);
    if (index === -1) return;
    const end = Math.ceil(((index + 1) * group.count) / handsets.count);
    for (let one = Math.ceil((index * group.count) / handsets.count); one < end; one++) {
      if (people.indexOf(groupFirst + one) !== -1) residents.push(groupFirst + one);
    }
  }
}

/** The index of the first selected place that is at least `place` (binary search). */
function firstIndexFrom(selection: RosterSelection, place: number): number {
  let low = 0;
  let high = selection.count;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (selection.at(middle) < place) low = middle + 1;
    else high = middle;
  }
  return low;
}
