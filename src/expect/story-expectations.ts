import type { EventName, ExpectationResult } from "../measure/index.js";
import type { ExpectedCount, Step, StoryExpectation } from "../scenario/index.js";
import type { Kernel, SimTime } from "../sim/index.js";
import { parseForm } from "../wire/index.js";
import type { World } from "../world/index.js";
import type { AccountStateReader } from "./account-reader.js";
import { compare } from "./compare.js";
import type { Judgement } from "./judgement.js";
import { patternMatcher } from "./pattern-matcher.js";
import { type QueuedReply, RepliedTexts } from "./replied-texts.js";
import { isOnState, StateWatch } from "./state-watch.js";

/** An expectation that counts texts or events. */
type CountedExpectation = Extract<StoryExpectation, { kind: "hears" | "event" }>;

/** One `expect` step of the story that counts texts or events, with its counts. */
interface CountedStep {
  readonly kind: "counted";
  readonly expectation: CountedExpectation;
  readonly fromMs: SimTime;
  readonly untilMs: SimTime;
  readonly matches: (text: string) => boolean;
  /** hears: what the text must be to which theirs is the reply; undefined: anything, also none. */
  readonly answers: ((text: string) => boolean) | undefined;
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

/** One `expect` step of the story on the account's state. */
interface StateStep {
  readonly kind: "state";
  readonly expectation: StoryExpectation;
  readonly fromMs: SimTime;
  readonly untilMs: SimTime;
  readonly watch: StateWatch;
}

type WatchedStep = CountedStep | StateStep;

/** A text that reached a person. */
export interface HeardText {
  readonly text: string;
  readonly atMs: SimTime;
  /** Its id at the service. */
  readonly message: number;
}

/** Upper bound of instants that an observation keeps. */
const INSTANTS_MAX = 5;

/** Rank of the checks of the account's state among the timers of one instant: after all others. */
const LAST = Number.MAX_SAFE_INTEGER;

/** The counts of one `expect` step. The counts of a fleet's parts add up. */
export interface Observation {
  /** Number of matching texts or events; of an expectation on the account, of people for whom it held. */
  readonly count: number;
  /** How many people are expected, and for how many of them it held; 0 for events. */
  readonly people: number;
  readonly heardBy: number;
  /** The first five instants. */
  readonly atMs: readonly SimTime[];
  /** A clause about the account's state, if the expectation is on it and was checked. */
  readonly state?: string | undefined;
}

/** Sums one step's observations from several parts of a fleet. */
export function sumObservations(seen: readonly Observation[]): Observation {
  const sum = (key: "count" | "people" | "heardBy"): number => seen.reduce((before, one) => before + one[key], 0);
  const atMs = seen.flatMap((one) => one.atMs).toSorted((a, b) => a - b);
  return {
    count: sum("count"),
    people: sum("people"),
    heardBy: sum("heardBy"),
    atMs: atMs.slice(0, INSTANTS_MAX),
    state: (seen.find((one) => one.heardBy < one.people) ?? seen[0])?.state,
  };
}

/** Counts texts to people and new events for the story's `expect` steps, and reads the account's state for them. */
export class Expectations {
  readonly #watched: WatchedStep[];
  readonly #byPerson = new Map<number, CountedStep[]>();
  readonly #byType = new Map<string, CountedStep[]>();
  /** The steps on the account's state whose window is open. */
  readonly #open = new Set<StateStep>();
  /** Undefined: no step has `answers`. */
  readonly #replied: RepliedTexts | undefined;

  constructor(story: readonly Step[], world: World) {
    this.#watched = story.flatMap(({ atMs, input }) =>
      input.to === "expect" ? watchedStep(input.expectation, atMs, world) : [],
    );
    const hasAnswers = this.#watched.some((step) => step.kind === "counted" && step.answers !== undefined);
    this.#replied = hasAnswers ? new RepliedTexts() : undefined;
    for (const step of this.#watched) {
      if (step.kind === "state") continue;
      if (step.expectation.kind === "event") addToIndex(this.#byType, step.expectation.type, step);
      for (const person of step.people) addToIndex(this.#byPerson, person, step);
    }
  }

  /** Whether any step is on the account's state: then the lab calls `recordChange`. */
  get readsAccount(): boolean {
    return this.#watched.some(({ kind }) => kind === "state");
  }

  /** Schedules the checks of the account's state: of an instant, they come last. */
  scheduleChecks(kernel: Kernel, account: AccountStateReader): void {
    for (const step of this.#watched) {
      if (step.kind === "counted") continue;
      const { fromMs, untilMs, watch } = step;
      const begin = (): void => {
        watch.checkAll(account, kernel.now);
        if (untilMs > fromMs) this.#open.add(step);
      };
      const end = (): void => {
        watch.checkAll(account, kernel.now);
        this.#open.delete(step);
      };
      kernel.at(fromMs, begin, undefined, LAST);
      if (untilMs > fromMs) kernel.at(untilMs, end, undefined, LAST);
    }
  }

  /** Whether a change of the account's state now is of interest. */
  get awaitsChange(): boolean {
    return this.#open.size > 0;
  }

  /** A result or a membership of a person may have changed. */
  recordChange(person: number, account: AccountStateReader, atMs: SimTime): void {
    for (const { watch } of this.#open) watch.check(person, account, atMs);
  }

  /** A text was queued for a phone to send. */
  recordQueued(text: QueuedReply): void {
    this.#replied?.recordQueued(text);
  }

  /** A text reached its person. */
  recordHeard(person: number, { text, atMs, message }: HeardText): void {
    for (const step of this.#byPerson.get(person) ?? []) {
      if (atMs < step.fromMs || atMs > step.untilMs || !step.matches(text)) continue;
      if (step.answers !== undefined) {
        const answered = this.#replied?.textOf(message);
        if (answered === undefined || !step.answers(answered)) continue;
      }
      step.heardBy.set(person, (step.heardBy.get(person) ?? 0) + 1);
      count(step, atMs);
    }
  }

  recordEvent(event: EventName & { readonly type: string; readonly atMs: SimTime; readonly body: string }): void {
    this.#replied?.recordEvent(event);
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
    return this.#watched.map(observationOf);
  }

  /**
   * The provisional verdicts on the steps, in the order of the story.
   *
   * @param reachedMs - the run has played everything up to this virtual time
   */
  judgements(reachedMs: SimTime): Judgement[] {
    return this.#watched.map((step) => judgementOf(step, reachedMs));
  }

  /** @param reachedMs - end of the run in virtual time: steps that end later are not met */
  results(reachedMs: SimTime): ExpectationResult[] {
    return this.#watched.map((step) => judge(step, observationOf(step), reachedMs));
  }
}

function watchedStep(expectation: StoryExpectation, atMs: SimTime, world: World): WatchedStep {
  const untilMs = atMs + (expectation.withinMs ?? 0);
  if (isOnState(expectation)) {
    const people = world.population.peopleOf(expectation.people);
    const nameOf = (person: number): string => world.population.nameOfPerson(person);
    const watch = new StateWatch(expectation, { people, nameOf });
    return { kind: "state", expectation, fromMs: atMs, untilMs, watch };
  }
  const isHearing = expectation.kind === "hears";
  return {
    kind: "counted",
    expectation,
    fromMs: expectation.withinMs === undefined ? 0 : atMs,
    untilMs,
    matches: isHearing ? patternMatcher(expectation.pattern, "contained") : () => true,
    answers: isHearing && expectation.answers ? patternMatcher(expectation.answers, "contained") : undefined,
    people: isHearing ? world.population.peopleOf(expectation.people) : [],
    heardBy: new Map(),
    atMs: [],
    channels:
      isHearing || expectation.of === undefined ? undefined : new Set(world.population.channelsOf(expectation.of)),
    where: isHearing
      ? []
      : expectation.where.map(([field, pattern]) => [field, patternMatcher(pattern, "contained")] as const),
    count: 0,
  };
}

function observationOf(step: WatchedStep): Observation {
  if (step.kind === "state") {
    const { watch } = step;
    return {
      count: watch.met,
      people: watch.people,
      heardBy: watch.met,
      atMs: watch.atMs.slice(0, INSTANTS_MAX),
      state: watch.text,
    };
  }
  const { expectation, count: total, people, heardBy, atMs } = step;
  const { op, value } = expectation.count ?? ONCE;
  const met = people.filter((person) => compare(heardBy.get(person) ?? 0, op, value)).length;
  return { count: total, people: people.length, heardBy: met, atMs };
}

function judgementOf(step: WatchedStep, reachedMs: SimTime): Judgement {
  const { fromMs, untilMs, expectation } = step;
  const { text } = expectation;
  const observation = observationOf(step);
  if (reachedMs > untilMs) {
    const { held, seen } = judge(step, observation, reachedMs);
    return { text, state: held ? "held" : "failed", seen, untilMs };
  }
  if (reachedMs < fromMs) return { text, state: "waiting", seen: null, untilMs };
  // Judged as if the step's time were over now: only for what is seen.
  const { seen } = judge({ expectation, untilMs: reachedMs }, observation, reachedMs);
  return { text, state: earlyState(step, observation), seen, untilMs };
}

/** The state of a step whose time is not over: final where more texts, events or changes cannot change it. */
function earlyState(step: WatchedStep, { count: total, people, heardBy }: Observation): Judgement["state"] {
  // A person counts who was in the expected state at one instant of the window.
  if (step.kind === "state") return heardBy === people && people > 0 ? "held" : "waiting";
  const { op, value } = step.expectation.count ?? ONCE;
  if (op === ">=" || op === ">") {
    const isMet = step.expectation.kind === "hears" ? heardBy === people : compare(total, op, value);
    return isMet ? "held" : "waiting";
  }
  if (op === "!=") return "waiting";
  const counts = step.expectation.kind === "hears" ? [...step.heardBy.values()] : [total];
  const isBeyond = counts.some((one) => (op === "<" ? one >= value : one > value));
  return isBeyond ? "failed" : "waiting";
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
  const nothing: Observation = { count: 0, people: 0, heardBy: 0, atMs: [] };
  return expectations.map((one, index) => judge(one, observations[index] ?? nothing, reachedMs));
}

function judge(
  { expectation, untilMs }: Pick<WatchedStep, "expectation" | "untilMs">,
  observation: Observation,
  reachedMs: SimTime,
): ExpectationResult {
  const { text } = expectation;
  const { count: total, people, heardBy, atMs } = observation;
  if (untilMs > reachedMs) return { text, held: false, seen: "the run ended before its time was over" };
  if (isOnState(expectation)) {
    const held = heardBy === people;
    const { state = "it was not checked" } = observation;
    if (people === 1) return { text, held, seen: held ? `${state}, at ${clockText(atMs[0] ?? untilMs)}` : state };
    return { text, held, seen: `${heardBy} of ${people} people${held ? "" : `; ${state}`}` };
  }
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

function count(step: CountedStep, atMs: SimTime): void {
  step.count++;
  if (step.atMs.length < INSTANTS_MAX) step.atMs.push(atMs);
}

function addToIndex<K>(index: Map<K, CountedStep[]>, key: K, step: CountedStep): void {
  const steps = index.get(key);
  if (steps === undefined) index.set(key, [step]);
  else steps.push(step);
}

/** Whether an event's body has fields whose values match. */
export function hasFields(body: string, where: CountedStep["where"]): boolean {
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
