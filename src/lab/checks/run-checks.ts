import { type AskedCheck, type CheckAnswer, judgeCheck, type Judgement, sumChecks } from "../../expect/index.js";
import type { ExpectationResult } from "../../measure/index.js";
import { type CheckSpec, isConditional, type Scenario, type TimedCheck } from "../../scenario/index.js";
import type { Kernel, SimTime } from "../../sim/index.js";
import type { Recording } from "../../store/index.js";

/** Asks one check in the real world. */
export type AskCheck = (check: CheckSpec) => Promise<CheckAnswer>;

/** One check of the scenario, with its results so far. */
interface WatchedCheck {
  readonly check: CheckSpec;
  /** Index among the checks of the scenario: names its results in the recording. */
  readonly index: number;
  /** When it is to be asked; Infinity: after the run. Empty: when its condition holds. */
  readonly plannedMs: readonly SimTime[];
  readonly asked: AskedCheck[];
  /** How often it was begun to be asked. */
  begun: number;
}

/**
 * The checks of a run: those of the story, and those beside it, at their times and at the end. A check changes nothing
 * in the world. Its results are recorded, so a run that is executed again takes it from the recording, and asks only what
 * was not asked before.
 */
export class RunChecks {
  readonly #watched: readonly WatchedCheck[];
  readonly #bySpec: ReadonlyMap<CheckSpec, WatchedCheck>;
  readonly #timed: readonly TimedCheck[];
  readonly #kernel: Kernel;
  readonly #recording: Pick<Recording, "keep" | "kept" | "flush">;
  readonly #ask: AskCheck | undefined;
  readonly #waits: boolean;
  readonly #lastsMs: SimTime;
  readonly #pending = new Set<Promise<void>>();

  /**
   * @param options - `ask`: absent: nothing is asked, recorded results count; `waits`: the world waits for the answer,
   *   as in lockstep and at `max`
   */
  constructor(options: {
    readonly scenario: Scenario;
    readonly kernel: Kernel;
    readonly recording: Pick<Recording, "keep" | "kept" | "flush">;
    readonly ask: AskCheck | undefined;
    readonly waits: boolean;
  }) {
    const { scenario, kernel, recording, ask, waits } = options;
    this.#kernel = kernel;
    this.#recording = recording;
    this.#ask = ask;
    this.#waits = waits;
    this.#timed = scenario.checks ?? [];
    this.#lastsMs = scenario.cast.lastsMs;
    const planned = new Map<CheckSpec, SimTime[]>();
    for (const step of scenario.story) {
      if (step.input.to !== "check") continue;
      const instants = planned.get(step.input.check) ?? [];
      if (!isConditional(step) && step.delays === undefined) instants.push(step.atMs);
      planned.set(step.input.check, instants);
    }
    for (const timed of this.#timed) planned.set(timed.check, [...instantsOf(timed, this.#lastsMs)]);
    this.#watched = Array.from(planned, ([check, plannedMs], index) => ({
      check,
      index,
      plannedMs,
      asked: [],
      begun: 0,
    }));
    this.#bySpec = new Map(this.#watched.map((watched) => [watched.check, watched]));
  }

  /**
   * Schedules the checks beside the story that have a time.
   *
   * @param atPause - runs an action in wall time between two kernel steps
   */
  schedule(atPause: (act: () => Promise<void>) => void): void {
    for (const { check, atMs, everyMs } of this.#timed) {
      const next = (instant: SimTime): void => {
        if (instant > this.#lastsMs) return;
        if (instant < this.#kernel.now) return next(instant + (everyMs ?? Infinity));
        const act = (): void => {
          atPause(() => this.ask(check));
          if (everyMs !== undefined) next(instant + everyMs);
        };
        this.#kernel.at(instant, act, undefined);
      };
      if (atMs !== undefined) next(atMs);
    }
  }

  /** Asks a check now. Resolves with the answer where the world waits for it, else at once. */
  async ask(check: CheckSpec): Promise<void> {
    const watched = this.#bySpec.get(check);
    if (watched === undefined) return;
    const asking = this.#askOnce(watched, this.#kernel.now);
    this.#pending.add(asking);
    void asking.finally(() => this.#pending.delete(asking));
    if (this.#waits) await asking;
  }

  /** Waits for the answers that are awaited, then asks what is to be asked after the run. @param isAsked - not if false */
  async askAtEnd(isAsked: boolean): Promise<void> {
    await Promise.all(this.#pending);
    const atEnd = this.#watched.filter(({ plannedMs }) => plannedMs.includes(Infinity));
    for (const watched of atEnd)
      if (isAsked || this.#recorded(watched) !== undefined) await this.#askOnce(watched, null);
  }

  /** The results, in the order of the scenario. Without `ask` and without recorded answers there are none. */
  results(): ExpectationResult[] {
    return this.#watched.flatMap(({ check, plannedMs, asked }) => {
      if (asked.length === 0 && (plannedMs.length === 0 || this.#ask === undefined)) return [];
      return [sumChecks(check.text, asked, plannedMs.length)];
    });
  }

  /** The provisional verdicts. */
  judgements(): Judgement[] {
    return this.#watched.map(({ check: { text }, plannedMs, asked }) => {
      const { held, seen } = sumChecks(text, asked, asked.length);
      const isOver = plannedMs.length > 0 && asked.length >= plannedMs.length;
      const hasFailed = asked.length > 0 && !held;
      const last = plannedMs.at(-1);
      return {
        text,
        state: hasFailed ? "failed" : isOver ? "held" : "waiting",
        seen: asked.length === 0 ? null : seen,
        untilMs: last === undefined || last === Infinity ? null : last,
      };
    });
  }

  async #askOnce(watched: WatchedCheck, atMs: SimTime | null): Promise<void> {
    const recorded = this.#recorded(watched);
    const key = keyOf(watched);
    watched.begun++;
    if (recorded !== undefined) {
      watched.asked.push(recorded);
      return;
    }
    if (this.#ask === undefined) return;
    this.#recording.flush();
    const from = performance.now();
    const answer = await this.#ask(watched.check);
    const ms = Math.round(10 * (performance.now() - from)) / 10;
    const asked: AskedCheck = { atMs, ...judgeCheck(watched.check, answer), ms };
    watched.asked.push(asked);
    this.#recording.keep(key, JSON.stringify(asked));
  }

  #recorded(watched: WatchedCheck): AskedCheck | undefined {
    const json = this.#recording.kept(keyOf(watched));
    return json === undefined ? undefined : (JSON.parse(json) as AskedCheck);
  }
}

/** Key of the next result of a check in the recording. */
function keyOf({ index, begun }: WatchedCheck): string {
  return `check/${index}/${begun}`;
}

function* instantsOf({ atMs, everyMs }: TimedCheck, lastsMs: SimTime): Generator<SimTime> {
  if (atMs === undefined) {
    yield Infinity;
    return;
  }
  for (let instant = atMs; instant <= lastsMs; instant += everyMs ?? Infinity) yield instant;
}
