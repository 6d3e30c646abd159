import { LabError } from "../../base/index.js";
import type { Scenario } from "../../scenario/index.js";
import { Streams } from "../../sim/index.js";
import { type Cast, type HandsetGroup, Parts, type PeopleGroup, type Roster } from "../../world/index.js";
import type { ChainAbout, ChainEnd } from "./about.js";

/** A handset of the cast. */
export interface InvolvedHandset {
  readonly channel: number;
  readonly group: string;
  readonly member: number;
  /** `clinic/3`. */
  readonly name: string;
}

/** A person. Without a place, nobody in the cast has the number, and the number serves as the name. */
export interface InvolvedPerson {
  readonly phone: string;
  readonly place: number | undefined;
  readonly group: string | undefined;
  readonly member: number | undefined;
  readonly name: string;
}

/** A handset with a person whose texts, calls or messages the chain has. */
export interface InvolvedEnds {
  readonly handset: InvolvedHandset;
  readonly person: InvolvedPerson | undefined;
}

/** The handsets and people of a chain. */
export interface Involved {
  readonly cast: Cast;
  readonly handsets: Roster<HandsetGroup>;
  readonly people: Roster<PeopleGroup>;
  /** The first one belongs to the event or message that the user named. */
  readonly ends: readonly [InvolvedEnds, ...InvolvedEnds[]];
}

/** Finds the handsets and people of a chain in the scenario of the recording. @throws LabError `bad-options` */
export function involvedIn({ cast, seed }: Scenario, { ends }: ChainAbout): Involved {
  const { handsets, people } = new Parts({ cast, count: 1, streams: new Streams(seed) });
  const endsOf = ({ channel, phone }: ChainEnd): InvolvedEnds => {
    if (channel < 1 || channel > handsets.count) throw noScenario(`channel ${channel} is no handset of the scenario`);
    const { group, member } = handsets.memberAt(channel - 1);
    const handset = { channel, group: group.name, member, name: handsets.nameAt(channel - 1) };
    return { handset, person: phone === undefined ? undefined : personOf(people, phone) };
  };
  const [first, ...others] = ends;
  return { cast, handsets, people, ends: [endsOf(first), ...others.map(endsOf)] };
}

function personOf(people: Roster<PeopleGroup>, phone: string): InvolvedPerson {
  const place = people.placeOf(phone);
  if (place === undefined) return { phone, place, group: undefined, member: undefined, name: phone };
  const { group, member } = people.memberAt(place);
  return { phone, place, group: group.name, member, name: people.nameAt(place) };
}

/** Each handset once. */
export function handsetsOf({ ends }: Involved): InvolvedHandset[] {
  return [...new Map(ends.map(({ handset }) => [handset.channel, handset])).values()];
}

/** Each person once. */
export function peopleOf({ ends }: Involved): InvolvedPerson[] {
  return [...new Map(ends.flatMap(({ person }) => (person === undefined ? [] : [[person.phone, person]]))).values()];
}

/** The error for a chain of which no scenario can be made. */
export function noScenario(why: string): LabError {
  return new LabError("bad-options", why);
}
