import type { ExactRequest } from "../../scenario/index.js";
import { Contaminated } from "./contaminated.js";
import type { MinimiseOptions, MinimiseStep } from "./options.js";
import { ofOthers, type Replaced } from "./other-identities.js";
import { PlayCounter, trialRequests } from "./play-counter.js";
import type { Receivers } from "../receivers.js";
import type { Kept, TrialOutcome } from "./search.js";
import type { MinimiseSource, SourceElement } from "./source.js";
import type { MetFailure, TrialRequest, TrialSettings } from "./trial.js";
import { type Rate, rateOf, repeatsFor } from "./wilson.js";

/** Runs that measure how often an input fails. */
export const MEASURED_RUNS = 11;

/** Different inputs that are tried at most, and wall milliseconds that this may take: docs/field-bugs.md#minimise. */
export const TRIALS = 300;
export const TIME_LIMIT_MS = 60_000;

/** Repeats of a trial before it is known how often the input fails, where a play of the whole source passed. */
const REPEATS_UNMEASURED = 3;

/** What trials of one source share. */
export interface TargetTrialsOptions extends Pick<MinimiseOptions, "trials" | "timeLimitMs" | "onStep"> {
  readonly startedMs: number;
  /** What a receiver has for an answer: wall milliseconds. */
  readonly timeoutMs: number;
}

/**
 * Plays parts of a source and says whether its target fails in the same way. The target is the event at which the source
 * failed first, with all events of the same moment. Counts trials and plays, and how often the target fails.
 */
export class TargetTrials {
  readonly source: MinimiseSource;
  readonly receivers: Receivers;
  readonly counter: PlayCounter;
  readonly signal: AbortSignal;
  /** Different inputs that were tried. */
  trials = 0;
  /** How often the target fails; undefined: not measured yet. */
  rate: Rate | undefined;
  /** Plays of larger inputs, before one could be measured. */
  readonly seen: { failed: number; of: number } = { failed: 0, of: 0 };
  /** The smallest input that failed, for a search that is stopped by hand. */
  smallest: Kept = [];
  readonly #options: TargetTrialsOptions;
  #target: MetFailure | undefined;
  /** The first request of the target's moment. */
  #leader = -1;
  #cut: readonly SourceElement[] = [];

  constructor(source: MinimiseSource, settings: Omit<TrialSettings, "replyToSender">, options: TargetTrialsOptions) {
    this.source = source;
    this.receivers = settings.receivers;
    this.signal = settings.signal;
    this.#options = options;
    const { replyToSender } = source;
    this.counter = new PlayCounter({ ...settings, replyToSender }, options.timeoutMs);
  }

  get target(): MetFailure | undefined {
    return this.#target;
  }

  /** The source up to its target. */
  get cut(): readonly SourceElement[] {
    return this.#cut;
  }

  /** The indexes of the source up to its target. */
  get whole(): Kept {
    return this.#cut.map((_, index) => index);
  }

  get maxTrials(): number {
    return this.#options.trials ?? TRIALS;
  }

  get timeLimitMs(): number {
    return this.#options.timeLimitMs ?? TIME_LIMIT_MS;
  }

  get takenMs(): number {
    return performance.now() - this.#options.startedMs;
  }

  /** Whether the target failed in each measured run. */
  get isSteady(): boolean {
    return this.rate !== undefined && this.rate.times === this.rate.of;
  }

  /** Plays of an input that are needed before it counts as passing. */
  get repeats(): number {
    if (this.rate !== undefined) return repeatsFor(this.rate);
    return this.seen.failed < this.seen.of ? REPEATS_UNMEASURED : 1;
  }

  /** @param share - of the time limit */
  hasTime(share = 1): boolean {
    return !this.signal.aborted && this.takenMs < share * this.timeLimitMs;
  }

  /** Makes a failure of the source the target. Of requests of one moment any may be the one that fails. */
  aimAt(first: MetFailure): void {
    const { elements } = this.source;
    let last = first.index;
    while (elements[last + 1]?.request.with === "previous") last++;
    this.#leader = leaderOf(elements, last);
    this.#target = { ...first, index: last };
    this.#cut = elements.slice(0, last + 1);
    this.smallest = this.whole;
  }

  /** Whether a failure is the target's, and of the same kind. */
  isSame(failure: MetFailure): boolean {
    return this.#isOfTarget(failure.index) && failure.fingerprint === this.#target?.fingerprint;
  }

  /** Tries an input, as often as it takes. */
  async try(kept: Kept): Promise<TrialOutcome> {
    this.trials++;
    this.report("search");
    const { repeats } = this;
    for (let run = 1; run <= repeats; run++) if (await this.fails(kept)) return "fails";
    return "passes";
  }

  /** Whether the target fails in the same way, in one play of an input. */
  async fails(kept: Kept, { isPatient = false } = {}): Promise<boolean> {
    return this.#meets(trialRequests(this.#cut, kept), isPatient);
  }

  /** Whether requests fail in the same way as the target at the last of them, or at one of the same moment. */
  async failsAs(requests: readonly ExactRequest[]): Promise<boolean> {
    this.trials++;
    this.report("simplify");
    const leader = leaderOf(
      requests.map((request) => ({ request })),
      requests.length - 1,
    );
    const numbered = requests.map((request, index) => ({ index, request }));
    const { failures } = await this.counter.play(numbered, { endsAt: ({ index }) => index >= leader });
    return this.#keepAnswer(failures.find((met) => met.index >= leader && this.#isAlike(met)));
  }

  /** Whether a request by itself fails in the same way as the target. */
  async failsAlone(request: ExactRequest | undefined): Promise<boolean> {
    if (request === undefined) return false;
    const { with: _, ...alone } = request;
    const { failures } = await this.counter.play([{ index: 0, request: alone }]);
    return failures.some((met) => this.#isAlike(met));
  }

  /** Whether an input fails in the same way if it is of other people, or of other people and handsets. */
  async failsOfOthers(kept: Kept, replaced: Replaced, round: number): Promise<boolean> {
    const trial = trialRequests(this.#cut, kept);
    const others = ofOthers(
      trial.map(({ request }) => request),
      replaced,
      round,
    );
    const requests = others.map((request, place) => ({ index: trial[place]?.index ?? 0, request }));
    const { failures } = await this.counter.play(requests, { endsAt: ({ index }) => index === this.#target?.index });
    return failures.some((failure) => this.isSame(failure));
  }

  /** Plays an input that failed once until it was played eleven times. @throws Contaminated */
  async measure(kept: Kept): Promise<void> {
    const { width, isFresh } = this.receivers;
    let failed = 1;
    for (let left = MEASURED_RUNS - 1; left > 0; left -= width) {
      const batch = Array.from({ length: Math.min(left, width) }, () => this.fails(kept));
      failed += (await Promise.all(batch)).filter(Boolean).length;
    }
    this.rate = rateOf(failed, MEASURED_RUNS);
    if (!isFresh && failed === 1) {
      throw new Contaminated("an input that failed did not fail when it was played again");
    }
  }

  report(phase: MinimiseStep["phase"]): void {
    const { length: before } = this.source.elements;
    const events = this.smallest.length === 0 ? before : this.smallest.length;
    this.#options.onStep?.({ phase, trials: this.trials, events, before });
  }

  async #meets(requests: readonly TrialRequest[], isPatient: boolean): Promise<boolean> {
    const { failures } = await this.counter.play(requests, {
      isPatient,
      endsAt: (failure) => this.#isOfTarget(failure.index),
    });
    return this.#keepAnswer(failures.find((failure) => this.isSame(failure)));
  }

  /** Shows the answer of the last play that failed. */
  #keepAnswer(met: MetFailure | undefined): boolean {
    if (met === undefined) return false;
    if (this.#target !== undefined) this.#target = { ...this.#target, answer: met.answer, seen: met.seen };
    return true;
  }

  #isAlike({ fingerprint }: MetFailure): boolean {
    return fingerprint === this.#target?.fingerprint;
  }

  #isOfTarget(index: number): boolean {
    return index >= this.#leader && index <= (this.#target?.index ?? -1);
  }
}

/** The index of the first request of the same moment. */
function leaderOf(elements: readonly { readonly request: ExactRequest }[], index: number): number {
  let leader = index;
  while (leader > 0 && elements[leader]?.request.with === "previous") leader--;
  return leader;
}
