import { LabError } from "../base/index.js";
import { selectMembers } from "../scenario/index.js";
import { Streams } from "../sim/index.js";
import type { EventSelection, RecordingReader } from "../store/index.js";
import { type Cast, Parts, type RosterSelection } from "../world/index.js";
import { scenarioOf } from "./recorded-scenario.js";

/** The handsets and people of a recording by their names in its scenario. */
export class RecordedCast {
  readonly #cast: Cast;
  readonly #parts: Parts;

  /** @throws LabError if this version cannot parse the recorded scenario */
  constructor(recording: RecordingReader) {
    const { cast, seed } = scenarioOf(recording.meta(), recording.path);
    this.#cast = cast;
    this.#parts = new Parts({ cast, count: 1, streams: new Streams(seed) });
  }

  /** Name of the person or handset with a number, such as `workers/2`; undefined when nobody in the cast has it. */
  nameOf(phone: string): string | undefined {
    const { people, handsets } = this.#parts;
    for (const roster of [people, handsets]) {
      const place = roster.placeOf(phone);
      if (place !== undefined) return roster.nameAt(place);
    }
    return undefined;
  }

  /**
   * The channels of the wanted handsets.
   *
   * @param option - name of the command's option, for messages
   * @param wanted - selectors or phone numbers
   * @throws LabError `bad-options`
   */
  channelsOf(option: string, wanted: readonly string[]): ReadonlySet<number> {
    const { handsets } = this.#parts;
    const channels = new Set<number>();
    for (const text of wanted) {
      if (isPhone(text)) {
        const place = handsets.placeOf(text);
        if (place === undefined) throw badValue(option, text, "is not a handset's number", undefined);
        channels.add(place + 1);
      } else {
        const selected = handsets.select(this.#selector(option, text, "handsets"));
        for (let index = 0; index < selected.count; index++) channels.add(selected.at(index) + 1);
      }
    }
    return channels;
  }

  /** The numbers of the wanted people. A given phone number need not be in the cast. */
  phonesOf(option: string, wanted: readonly string[]): NonNullable<EventSelection["phone"]> {
    const { people } = this.#parts;
    const phones = new Set(wanted.filter(isPhone));
    const selections = wanted
      .filter((text) => !isPhone(text))
      .map((text) => people.select(this.#selector(option, text, "people")));
    return {
      test: (phone) => {
        if (phones.has(phone)) return true;
        const place = selections.length === 0 ? undefined : people.placeOf(phone);
        return place !== undefined && selections.some((selection) => selection.indexOf(place) !== -1);
      },
      digits: commonDigits([...phones, ...selections.flatMap((selection) => endsOf(selection, people))]),
    };
  }

  #selector(option: string, text: string, kind: "handsets" | "people"): Parameters<Parts["handsets"]["select"]>[0] {
    const selected = selectMembers(text, kind, this.#cast);
    if ("selector" in selected) return selected.selector;
    throw badValue(option, text, selected.message, selected.hint);
  }
}

/** The leading digits that all numbers share. For a range of members, pass the numbers of its ends. */
function commonDigits(phones: readonly string[]): string {
  const [first = "", ...others] = phones.map((phone) => /^\+?(\d+)$/.exec(phone)?.[1] ?? "");
  let length = first.length;
  for (const other of others) while (!other.startsWith(first.slice(0, length))) length--;
  return first.slice(0, length);
}

/** The numbers with the smallest and the largest counter: those between them share the digits that both have. */
function endsOf(selection: RosterSelection, people: Parts["people"]): string[] {
  return selection.count === 0
    ? []
    : [selection.at(0), selection.at(selection.count - 1)].map((place) => people.phoneAt(place));
}

function isPhone(text: string): boolean {
  return /^\+?\d{3,}$/.test(text);
}

function badValue(option: string, text: string, message: string, hint: string | undefined): LabError {
  return new LabError("bad-options", `${option} ${text}: ${message}`, { hint });
}

/** The cast of a recording; undefined when this version cannot parse the recorded scenario. */
export function castOf(recording: RecordingReader): RecordedCast | undefined {
  try {
    return new RecordedCast(recording);
  } catch (error) {
    if (error instanceof LabError) return undefined;
    throw error;
  }
}
