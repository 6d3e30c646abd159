import { LabError } from "../base/index.js";
import type { ExpectationResult } from "../report/index.js";
import type { ExpectedCount, Pattern, Step, StoryExpectation } from "../scenario/index.js";
import type { SimTime } from "../sim/index.js";
import { compilePattern, parseForm } from "../wire/index.js";
import type { World } from "../world/index.js";
import { compare } from "./compare.js";

/** One promise of the story, and what has been seen of it. */
interface Watch {
  readonly expectation: StoryExpectation;
  readonly fromMs: SimTime;
  readonly untilMs: SimTime;
  readonly matches: (text: string) => boolean;
  /** hears: the people who are meant, and of these who has heard it. */
  readonly people: readonly number[];
  /** hears: how often each of them has heard it. */
  readonly heardBy: Map<number, number>;
  readonly atMs: SimTime[];
  /** event: the channels that are meant; undefined: all. */
  readonly channels: ReadonlySet<number> | undefined;
  readonly where: readonly (readonly [field: string, matches: (text: string) => boolean])[];
  count: number;
}

/** How many instants of a sighting are kept. */
const mostInstants = 5;

/** What has been seen of one `expect` step of the story. Those of the parts of a fleet add up. */
export interface Sighting {
  /** How often. */
  readonly count: number;
  /** hears: how many people are meant, and how many of them have heard it as often as expected; else 0. */
  readonly people: number;
  readonly heardBy: number;
  /** When, the first five times. Absent in the records of older parts. */
  readonly atMs?: readonly SimTime[];
}

/** What several parts of a fleet have seen of one step. */
export function addSightings(seen: readonly Sighting[]): Sighting {
  const sum = (key: "count" | "people" | "heardBy"): number => seen.reduce((before, one) => before + one[key], 0);
  const atMs = seen.flatMap((one) => one.atMs ?? []).toSorted((a, b) => a - b);
  return { count: sum("count"), people: sum("people"), heardBy: sum("heardBy"), atMs: atMs.slice(0, mostInstants) };
}

/** Watches what people hear and which events come into being, for the story's `expect` steps. */
export class Expectations {
  readonly #watches: Watch[] = [];
  readonly #byPerson = new Map<number, Watch[]>();
  readonly #byType = new Map<string, Watch[]>();

  constructor(story: readonly Step[], world: World) {
    for (const { atMs, input } of story) {
      if (input.to !== "expect") continue;
      const { expectation } = input;
      const isWindow = expectation.withinMs !== undefined;
      const watch: Watch = {
        expectation,
        fromMs: isWindow ? atMs : 0,
        untilMs: atMs + (expectation.withinMs ?? 0),
        matches: expectation.kind === "hears" ? matcher(expectation.pattern) : () => true,
        people: expectation.kind === "hears" ? world.peopleOf(expectation.people) : [],
        heardBy: new Map(),
        atMs: [],
        channels:
          expectation.kind === "event" && expectation.of !== undefined
            ? new Set(world.channelsOf(expectation.of))
            : undefined,
        where:
          expectation.kind === "event" ? expectation.where.map(([field, pattern]) => [field, matcher(pattern)]) : [],
        count: 0,
      };
      this.#watches.push(watch);
      if (expectation.kind === "event") file(this.#byType, expectation.type, watch);
      for (const person of watch.people) file(this.#byPerson, person, watch);
    }
  }

  /** A person's phone has shown a text. */
  heard(person: number, text: string, atMs: SimTime): void {
    for (const watch of this.#byPerson.get(person) ?? []) {
      if (atMs < watch.fromMs || atMs > watch.untilMs || !watch.matches(text)) continue;
      watch.heardBy.set(person, (watch.heardBy.get(person) ?? 0) + 1);
      count(watch, atMs);
    }
  }

  /** An event has come into being. */
  emitted(event: { channel: number; type: string; atMs: SimTime; body: string }): void {
    const watches = this.#byType.get(event.type);
    if (watches === undefined) return;
    for (const watch of watches) {
      if (event.atMs < watch.fromMs || event.atMs > watch.untilMs) continue;
      if (watch.channels?.has(event.channel) === false) continue;
      if (!hasFields(event.body, watch.where)) continue;
      count(watch, event.atMs);
    }
  }

  /** What has been seen so far, in the order of the story. */
  sightings(): Sighting[] {
    return this.#watches.map(({ expectation, count: total, people, heardBy, atMs }) => {
      const { op, value } = expectation.count ?? once;
      const met = people.filter((person) => compare(heardBy.get(person) ?? 0, op, value)).length;
      return { count: total, people: people.length, heardBy: met, atMs };
    });
  }

  /** @param reachedMs - how far the run came: what ends later has not been reached */
  results(reachedMs: SimTime): ExpectationResult[] {
    const sightings = this.sightings();
    return this.#watches.map((watch, index) => judge(watch, sightings[index] as Sighting, reachedMs));
  }
}

/**
 * Holds a story's `expect` steps against what was seen.
 *
 * @param sightings - in the order of the steps, as `Expectations.sightings` gives them
 */
export function judgeStory(
  story: readonly Step[],
  sightings: readonly Sighting[],
  reachedMs: SimTime,
): ExpectationResult[] {
  const expectations = story.flatMap(({ atMs, input }) =>
    input.to === "expect" ? { expectation: input.expectation, untilMs: atMs + (input.expectation.withinMs ?? 0) } : [],
  );
  const nothing: Sighting = { count: 0, people: 0, heardBy: 0 };
  return expectations.map((one, index) => judge(one, sightings[index] ?? nothing, reachedMs));
}

function judge(
  { expectation, untilMs }: Pick<Watch, "expectation" | "untilMs">,
  { count: total, people, heardBy, atMs = [] }: Sighting,
  reachedMs: SimTime,
): ExpectationResult {
  const { text } = expectation;
  if (untilMs > reachedMs) return { text, held: false, seen: "the run ended before" };
  if (expectation.kind === "hears") {
    const held = heardBy === people;
    if (people === 1) return { text, held, seen: times(total, atMs) };
    const how = expectation.count === undefined ? "" : ` as often as expected; ${times(total, atMs)} in all`;
    return { text, held, seen: `${heardBy} of ${people} people${how}` };
  }
  const { op, value } = expectation.count ?? once;
  return { text, held: compare(total, op, value), seen: times(total, atMs) };
}

/** What holds where no count is written. */
const once: ExpectedCount = { op: ">=", value: 1 };

function count(watch: Watch, atMs: SimTime): void {
  watch.count++;
  if (watch.atMs.length < mostInstants) watch.atMs.push(atMs);
}

function file<K>(index: Map<K, Watch[]>, key: K, watch: Watch): void {
  const watches = index.get(key);
  if (watches === undefined) index.set(key, [watch]);
  else watches.push(watch);
}

function matcher(pattern: Pattern): (text: string) => boolean {
  if (pattern.kind === "contains") return (text) => text.includes(pattern.text);
  const compiled = compilePattern(pattern);
  if (typeof compiled === "function") return compiled;
  throw new LabError("bad-options", `the pattern /${pattern.source}/ ${compiled.message}`, { hint: compiled.hint });
}

function hasFields(body: string, where: Watch["where"]): boolean {
  if (where.length === 0) return true;
  const pairs = parseForm(body);
  return where.every(([field, matches]) => pairs.some(([key, value]) => key === field && matches(value)));
}

/** How often, and when in the run's time: `twice, at 00:02:00, 00:05:00`. */
function times(total: number, atMs: readonly SimTime[]): string {
  if (total === 0) return "never";
  const often = total === 1 ? "once" : total === 2 ? "twice" : `${total} times`;
  if (atMs.length === 0) return often;
  return `${often}, at ${atMs.map(clockText).join(", ")}${total > atMs.length ? ", …" : ""}`;
}

function clockText(ms: SimTime): string {
  const pair = (value: number): string => String(Math.floor(value)).padStart(2, "0");
  return `${pair(ms / 3_600_000)}:${pair((ms / 60_000) % 60)}:${pair((ms / 1000) % 60)}`;
}
