import { isE164, type ServicePreset } from "../wire/index.js";
import type { HandsetGroup, PeopleGroup, PhonePattern } from "../world/index.js";
import { isList, isMap, type RawMap, type RawValue } from "./sheet/raw-value.js";

/** Numbers, or names of senders, that the members of a group have. */
export interface MemberNumbers {
  readonly group: string;
  readonly count: number;
  readonly phone: PhonePattern;
}

/** What filters of events are checked against: the numbers of the cast, the service's spelling, the written story. */
export class EventFacts {
  /** Undefined: the service's settings are invalid. */
  readonly service: Pick<ServicePreset, "spelling" | "sampleStatus"> | undefined;
  /** Undefined: a group is invalid. */
  readonly handsets: readonly MemberNumbers[] | undefined;
  /** Undefined: a group is invalid. */
  readonly people: readonly MemberNumbers[] | undefined;
  readonly #story: RawValue | undefined;
  #written: WrittenStory | undefined;

  constructor(
    facts: Partial<Pick<EventFacts, "service" | "handsets" | "people">>,
    /** As it is written: it is read when a filter needs it. */
    story: RawValue | undefined,
  ) {
    this.service = facts.service;
    this.handsets = facts.handsets;
    this.people = facts.people;
    this.#story = story;
  }

  /** The fields that steps `event` of the story name, for events of a type; undefined: the story posts none. */
  fieldsPosted(type: string): ReadonlySet<string> | undefined {
    return this.#read().posted.get(type);
  }

  /** Whether a step is of a number outside the cast that begins so. */
  hasStranger(start: string): boolean {
    return this.#read().strangers.some((phone) => phone.startsWith(start));
  }

  /** Whether steps change the numbers of handsets. */
  get changesNumbers(): boolean {
    return this.#read().changesNumbers;
  }

  #read(): WrittenStory {
    return (this.#written ??= readWritten(this.#story));
  }
}

/** The numbers of a cast; undefined where a group could not be read. */
export function numbersOf(
  { handsets, people }: { readonly handsets: readonly HandsetGroup[]; readonly people: readonly PeopleGroup[] },
  written: { readonly handsets: number; readonly people: number },
): Pick<EventFacts, "handsets" | "people"> {
  const both = handsets.flatMap(({ name, count, phone, secondSim }) => [
    { group: name, count, phone },
    ...(secondSim === undefined ? [] : [{ group: name, count, phone: secondSim.phone }]),
  ]);
  return {
    handsets: handsets.length === written.handsets ? both : undefined,
    people:
      people.length === written.people
        ? people.map(({ name, count, phone }) => ({ group: name, count, phone }))
        : undefined,
  };
}

/** Whether the phone number of one of the members begins with `start`. */
export function hasNumber({ count, phone }: MemberNumbers, start: string): boolean {
  const { prefix, first, digits, suffix } = phone;
  if (digits === 0 || start.length <= prefix.length) return prefix.startsWith(start);
  const counted = start.slice(prefix.length, prefix.length + digits);
  if (!start.startsWith(prefix) || !/^\d+$/.test(counted)) return false;
  // `counted` has the leading digits of the counter.
  const size = 10 ** (digits - counted.length);
  const least = Number(counted) * size;
  const isCounted = least < first + count && least + size > first;
  return isCounted && suffix.startsWith(start.slice(prefix.length + digits));
}

interface WrittenStory {
  readonly posted: ReadonlyMap<string, ReadonlySet<string>>;
  readonly strangers: readonly string[];
  readonly changesNumbers: boolean;
}

function readWritten(story: RawValue | undefined): WrittenStory {
  const posted = new Map<string, Set<string>>();
  const strangers: string[] = [];
  let changesNumbers = false;
  for (const step of isList(story) ? story : []) {
    if (!isMap(step)) continue;
    const { type, fields } = argsOf(step, "event");
    if (typeof type === "string") {
      const names = posted.get(type) ?? new Set();
      for (const name of isMap(fields) ? Object.keys(fields) : []) names.add(name);
      posted.set(type, names);
    }
    for (const verb of ["text", "call"]) {
      const { from } = argsOf(step, verb);
      if (typeof from === "string" && isE164(from.trim())) strangers.push(from.trim());
    }
    changesNumbers ||= ["sim", "claim"].some((verb) => argsOf(step, verb)["phone"] !== undefined);
  }
  return { posted, strangers, changesNumbers };
}

function argsOf(step: RawMap, verb: string): RawMap {
  const args = step[verb];
  return isMap(args) ? args : {};
}
