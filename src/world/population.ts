import type { Stream, Streams } from "../sim/index.js";
import type { Cast, HandsetGroup, PeopleGroup, TrafficSpec } from "./cast/cast.js";
import { type Part, Parts, type PartRange } from "./cast/parts.js";
import { type Homes, placesOf, type Roster, type RosterSelection } from "./cast/roster.js";
import type { PeopleChoice, Selector } from "./cast/selector.js";

/** The senders of one entry of traffic: people, or handsets. */
export interface Senders {
  readonly selection: RosterSelection;
  /** Prefix of the name of a sender's random stream. */
  readonly nameOf: (place: number) => string;
  readonly select: (selector: Selector) => RosterSelection;
  /** Whether a sender is in this part of the fleet. */
  readonly isHere: (place: number) => boolean;
}

/**
 * All handsets and people of the world: their names, numbers and homes, which of them are in this part of a fleet, and
 * who texts whom. A *place* is an index in the list of all handsets or of all people; a channel is a handset's place +
 * 1.
 */
export class Population {
  readonly people: Roster<PeopleGroup>;
  /** The groups of handsets in this part, in the order of their channels. */
  readonly ranges: readonly PartRange[];
  readonly #handsets: Roster<HandsetGroup>;
  readonly #homes: Homes;
  readonly #isWhole: boolean;
  /** By place: 1 if the handset is in this part. */
  readonly #isHere: Uint8Array;

  /** @param options - `guests`: numbers of people beyond the cast who are known from the start */
  constructor(options: {
    readonly cast: Cast;
    readonly streams: Streams;
    readonly part: Part;
    readonly guests: readonly string[];
  }) {
    const { cast, streams, part } = options;
    const parts = new Parts({ cast, count: part.count, streams });
    this.#handsets = parts.handsets;
    this.people = parts.people;
    this.#homes = parts.homes;
    this.#isWhole = part.count === 1;
    this.ranges = parts.rangesOf(part.index);
    this.#isHere = new Uint8Array(this.handsetCount);
    for (const { firstPlace, count } of this.ranges) this.#isHere.fill(1, firstPlace, firstPlace + count);
    for (const phone of options.guests) this.personWith(phone);
  }

  /** Handsets of the cast, in all parts. */
  get handsetCount(): number {
    return this.#handsets.count;
  }

  /** People of the cast, in all parts. */
  get personCount(): number {
    return this.people.count;
  }

  /** Numbers of the people beyond the cast, in order of arrival; their places follow those of the cast. */
  get guests(): readonly string[] {
    return this.people.guests;
  }

  /** Whether the handset of a channel is in this part. */
  hasChannel(channel: number): boolean {
    return this.#isHere[channel - 1] === 1;
  }

  /**
   * Whether a person is in this part: the part of the home handset. In a fleet of several parts, guests are in none.
   */
  hasPerson(person: number): boolean {
    if (this.#isWhole) return true;
    return !this.people.isGuest(person) && this.hasChannel(this.#homes.homeOf(person) + 1);
  }

  /** `clinic/3`. */
  nameOfHandset(channel: number): string {
    return this.#handsets.nameAt(channel - 1);
  }

  /** A selector that selects one handset only. */
  selectorOfHandset(channel: number): Selector {
    return selectorOf(this.#handsets, channel - 1);
  }

  phoneOfHandset(channel: number): string {
    return this.#handsets.phoneAt(channel - 1);
  }

  /** The channel of the handset with this number. */
  channelByPhone(phone: string): number | undefined {
    const place = this.#handsets.placeOf(phone);
    return place === undefined ? undefined : place + 1;
  }

  /** The channels of the selected handsets in this part, ascending. */
  channelsOf(selector: Selector): number[] {
    const channels = placesOf(this.#handsets.select(selector)).map((place) => place + 1);
    return this.#isWhole ? channels : channels.filter((channel) => this.hasChannel(channel));
  }

  /** `farmers/17`; a guest's is the number. */
  nameOfPerson(person: number): string {
    return this.people.nameAt(person);
  }

  /** A choice that selects one person only: a guest by number, others by group and place. */
  choiceOfPerson(person: number): PeopleChoice {
    return this.people.isGuest(person) ? { phone: this.people.phoneAt(person) } : selectorOf(this.people, person);
  }

  phoneOfPerson(person: number): string {
    return this.people.phoneAt(person);
  }

  /** The person with this number; the first of several with one short code. */
  personByPhone(phone: string): number | undefined {
    return this.people.placeOf(phone);
  }

  /** The person with this number, added as a guest if there is none. */
  personWith(phone: string): number {
    return this.personByPhone(phone) ?? this.people.addGuest(phone);
  }

  /** The name of a person's home handset; undefined for a guest. */
  homeOf(person: number): string | undefined {
    return this.people.isGuest(person) ? undefined : this.#handsets.nameAt(this.#homes.homeOf(person));
  }

  /** The group of a person; undefined for a guest. */
  groupOfPerson(person: number): PeopleGroup | undefined {
    return this.people.isGuest(person) ? undefined : this.people.memberAt(person).group;
  }

  /** The places of the selected people in this part, ascending. An unknown number is added as a guest. */
  peopleOf(choice: PeopleChoice): number[] {
    if ("phone" in choice) return [this.personWith(choice.phone)];
    const people = placesOf(this.people.select(choice));
    return this.#isWhole ? people : people.filter((person) => this.hasPerson(person));
  }

  /** The places of the selected people in all parts, ascending. An unknown number is added as a guest. */
  peopleOfAllParts(choice: PeopleChoice): number[] {
    return "phone" in choice ? [this.personWith(choice.phone)] : placesOf(this.people.select(choice));
  }

  sendersOf(spec: TrafficSpec): Senders {
    const isFromHandsets = spec.kind === "sends" || spec.from === "handsets";
    const roster = isFromHandsets ? this.#handsets : this.people;
    return {
      selection: roster.select(isFromHandsets ? spec.handsets : spec.people),
      nameOf: (place) => `${isFromHandsets ? "handset" : "person"}/${roster.nameAt(place)}`,
      select: (selector) => roster.select(selector),
      isHere: (place) => (isFromHandsets ? this.hasChannel(place + 1) : this.hasPerson(place)),
    };
  }

  /** The channel that a person writes to: the home handset if it is selected, else one drawn. A guest has no home. */
  channelFor(person: number, to: Selector, stream: Stream): number {
    const selection = this.#handsets.select(to);
    const home = this.people.isGuest(person) ? -1 : this.#homes.homeOf(person);
    if (selection.indexOf(home) !== -1) return home + 1;
    return selection.at(stream.int(0, selection.count - 1)) + 1;
  }

  /** The person that a handset writes to or calls: one drawn from its selected residents, else from all selected. */
  personFor(channel: number, to: Selector, stream: Stream): number | undefined {
    const selection = this.people.select(to);
    if (selection.count === 0) return undefined;
    const residents = this.#homes.residentsOf(channel - 1, selection);
    return residents.length > 0 ? stream.pick(residents) : selection.at(stream.int(0, selection.count - 1));
  }
}

function selectorOf(roster: Roster<HandsetGroup> | Roster<PeopleGroup>, place: number): Selector {
  const { group, member } = roster.memberAt(place);
  return { group: group.name, from: member, to: member };
}
