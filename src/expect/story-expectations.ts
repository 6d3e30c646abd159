import { LabError } from "../base/index.js";
import type { ExpectationResult } from "../report/index.js";
import type { ExpectedCount, Pattern, Step, StoryExpectation } from "../scenario/index.js";
import type { SimTime } from "../sim/index.js";
import { compilePattern, parseForm } from "../wire/index.js";
import type { World } from "../world/index.js";
import { compare } from "./compare.js";

/** One `expect` step of the story with its counts. */
interface WatchedStep {
  readonly expectation: StoryExpectation;
  readonly fromMs: SimTime;
  readonly untilMs: SimTime;
  readonly matches: (text: string) => boolean;
  /** hears: the expected people. */
  readonly people: readonly number[];
  /** hears: how often each of them heard it. */
  readonly heardBy: Map<number, number>;
  readonly atMs: SimTime[];
  /** event: the expected channels; undefined: all. */
  readonly channels: ReadonlySet<number> | undefined;
  readonly where: readonly (readonly [field: string, matches: (text: string) => boolean])[];
  count: number;
}

/** Upper bound of instants that an observation keeps. */
const INSTANTS_MAX = 5;

/** The counts of one `expect` step. The counts of a fleet's parts add up. */
export interface Observation {
  /** Number of matching texts or events. */
  readonly count: number;
  /** hears: how many people are expected, and how many of them heard it as often as expected; else 0. */
  readonly people: number;
  readonly heardBy: number;
  /** The first five instants. Absent in records of older versions. */
  readonly atMs?: readonly SimTime[];
}

/** Sums one step's observations from several parts of a fleet. */
export function sumObservations(seen: readonly Observation[]): Observation {
  const sum = (key: "count" | "people" | "heardBy"): number => seen.reduce((before, one) => before + one[key], 0);
  const atMs = seen.flatMap((one) => one.atMs ?? []).toSorted((a, b) => a - b);
  return { count: sum("count"), people: sum("people"), heardBy: sum("heardBy"), atMs: atMs.slice(0, INSTANTS_MAX) };
}

/** Counts texts to people and new events for the story's `expect` steps. */
export class Expectations {
  readonly #watched: WatchedStep[] = [];
  readonly #byPerson = new Map<number, WatchedStep[]>();
  readonly #byType = new Map<string, WatchedStep[]>();

  constructor(story: readonly Step[], world: World) {
    for (const { atMs, input } of story) {
      if (input.to !== "expect") continue;
      const { expectation } = input;
      const isWindow = expectation.withinMs !== undefined;
      const step: WatchedStep = {
        expectation,
        fromMs: isWindow ? atMs : 0,
        untilMs: atMs + (expectation.withinMs ?? 0),
        matches: expectation.kind === "hears" ? matcher(expectation.pattern) : () => true,
        people: expectation.kind === "hears" ? world.population.peopleOf(expectation.people) : [],
        heardBy: new Map(),
        atMs: [],
        channels:
          expectation.kind === "event" && expectation.of !== undefined
            ? new Set(world.population.channelsOf(expectation.of))
            : undefined,
        where:
          expectation.kind === "event" ? expectation.where.map(([field, pattern]) => [field, matcher(pattern)]) : [],
        count: 0,
      };
      this.#watched.push(step);
      if (expectation.kind === "event") addToIndex(this.#byType, expectation.type, step);
      for (const person of step.people) addToIndex(this.#byPerson, person, step);
    }
  }

  /** A text reached its person. */
  recordHeard(person: number, text: string, atMs: SimTime): void {
    for (const step of this.#byPerson.get(person) ?? []) {
      if (atMs < step.fromMs || atMs > step.untilMs || !step.matches(text)) continue;
      step.heardBy.set(person, (step.heardBy.get(person) ?? 0) + 1);
      count(step, atMs);
    }
  }

  recordEvent(event: { channel: number; type: string; atMs: SimTime; body: string }): void {
    const steps = this.#byType.get(event.type);
    if (steps === undefined) return;
    for (const step of steps) {
      if (event.atMs < step.fromMs || event.atMs > step.untilMs) continue;
      if (step.channels?.has(event.channel) === false) continue;
      if (!hasFields(event.body, step.where)) continue;
      count(step, event.atMs);
    }
  }

  /** The counts so far, in the order of the story. */
  observations(): Observation[] {
    return this.#watched.map(({ expectation, count: total, people, heardBy, atMs }) => {
      const { op, value } = expectation.count ?? ONCE;
      const met = people.filter((person) => compare(heardBy.get(person) ?? 0, op, value)).length;
      return { count: total, people: people.length, heardBy: met, atMs };
    });
  }

  /** @param reachedMs - end of the run in virtual time: steps that end later do not hold */
  results(reachedMs: SimTime): ExpectationResult[] {
    const observations = this.observations();
    return this.#watched.map((step, index) => judge(step, observations[index] as Observation, reachedMs));
  }
}

/**
 * Judges a story's `expect` steps by their observations.
 *
 * @param observations - in the order of the steps, from `Expectations.observations`
 */
export function judgeStory(
  story: readonly Step[],
  observations: readonly Observation[],
  reachedMs: SimTime,
): ExpectationResult[] {
  const expectations = story.flatMap(({ atMs, input }) =>
    input.to === "expect" ? { expectation: input.expectation, untilMs: atMs + (input.expectation.withinMs ?? 0) } : [],
  );
  const nothing: Observation = { count: 0, people: 0, heardBy: 0 };
  return expectations.map((one, index) => judge(one, observations[index] ?? nothing, reachedMs));
}

function judge(
  { expectation, untilMs }: Pick<WatchedStep, "expectation" | "untilMs">,
  { count: total, people, heardBy, atMs = [] }: Observation,
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
  const { op, value } = expectation.count ?? ONCE;
  return { text, held: compare(total, op, value), seen: times(total, atMs) };
}

/** The default of `count`. */
const ONCE: ExpectedCount = { op: ">=", value: 1 };

function count(step: WatchedStep, atMs: SimTime): void {
  step.count++;
  if (step.atMs.length < INSTANTS_MAX) step.atMs.push(atMs);
}

function addToIndex<K>(index: Map<K, WatchedStep[]>, key: K, step: WatchedStep): void {
  const steps = index.get(key);
  if (steps === undefined) index.set(key, [step]);
  else steps.push(step);
}

function matcher(pattern: Pattern): (text: string) => boolean {
  if (pattern.kind === "contains") return (text) => text.includes(pattern.text);
  const compiled = compilePattern(pattern);
  if (typeof compiled === "function") return compiled;
  throw new LabError("bad-options", `the pattern /${pattern.source}/ ${compiled.message}`, { hint: compiled.hint });
}

function hasFields(body: string, where: WatchedStep["where"]): boolean {
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
