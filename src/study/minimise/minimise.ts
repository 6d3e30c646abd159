/**
 * Minimises a failing input of exact requests: read the source, play it until it fails, search the smallest input at which the
 * same event fails in the same way, write it plainly, and prove it again.
 */
import { LabError } from "../../base/index.js";
import type { FailureCondition } from "../../expect/index.js";
import { allowedHosts } from "../../http/index.js";
import type { ExactRequest } from "../../scenario/index.js";
import { autoCondition, type TakenCondition } from "./auto-condition.js";
import type { InputCounts, Minimised, MinimiseOptions, MinimiseStep } from "./options.js";
import { PlayCounter, trialRequests } from "./play-counter.js";
import { ofOthers, type Replaced } from "./other-identities.js";
import { openReceivers, type Receivers } from "../receivers.js";
import { relationsOf } from "./relations.js";
import { type Kept, searchSmallest, type SearchResult, type TrialOutcome } from "./search.js";
import { simplifyRequests } from "./simplify.js";
import { type MinimiseSource, readMinimiseSource, type SourceElement, sourceOfRequests } from "./source.js";
import { isAboutPlay, type MetFailure, type TrialResult } from "./trial.js";
import { type Rate, rateOf, repeatsFor } from "./wilson.js";

/** Runs that measure how often an input fails. */
const MEASURED_RUNS = 11;

/** Wall milliseconds that measuring may take before the search is over. */
const MEASURING_MS = 1500;

/** Wall milliseconds that the service gives a receiver; docs/reference/webhook.md#transport. */
const TIMEOUT_MS = 5000;

/** Share of the time limit after which the search ends, so that the rest can be proven and written. */
const SEARCH_SHARE = 0.85;

/** @throws LabError for bad options, a source that cannot be read, a receiver that is not there */
export async function minimiseRequests(options: MinimiseOptions): Promise<Minimised> {
  const startedMs = performance.now();
  const { path, requests } = options;
  const source =
    requests === undefined ? await readMinimiseSource(path, options.onProgress) : sourceOfRequests(requests, path);
  const isAllowed = allowedHosts(options.allowHosts ?? []);
  const signal = options.signal ?? new AbortController().signal;
  const receivers = await openReceivers({ ...options, width: options.width ?? 2, isAllowed, signal });
  try {
    const taken: TakenCondition =
      "auto" in options.condition
        ? await autoCondition(source, options.condition.auto, {
            receivers,
            isAllowed,
            signal,
            timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
          })
        : { condition: options.condition, took: "" };
    requireJudgeable(taken.condition);
    return await new Minimisation(source, taken, receivers, { ...options, isAllowed, signal, startedMs }).run();
  } finally {
    await receivers.close();
  }
}

/** Refuses conditions that only a scenario has. */
function requireJudgeable({ terms }: FailureCondition): void {
  for (const term of terms) {
    if (term.kind === "broken") {
      throw new LabError(
        "bad-options",
        `--while broken "${term.expectation}": a log or recording has no expectations to judge`,
        {
          hint:
            term.expectation === "never-twice"
              ? "write --while hears-twice"
              : "minimise the scenario, or write a condition of an answer, such as status 500",
        },
      );
    }
    if (term.kind === "reconcile") {
      throw new LabError("bad-options", "--while reconcile is not possible with exact requests yet", {
        hint: "write a check that compares: --while 'check { command: ./compare.sh }'",
      });
    }
  }
}

class Minimisation {
  readonly #source: MinimiseSource;
  readonly #taken: TakenCondition;
  readonly #receivers: Receivers;
  readonly #options: MinimiseOptions & { readonly startedMs: number };
  readonly #counter: PlayCounter;
  readonly #notes: string[] = [];
  readonly #isAboutPlay: boolean;
  #target: MetFailure | undefined;
  #rate: Rate | undefined;
  /** Runs of larger inputs, before one could be measured. */
  #seen = { failed: 0, of: 0 };
  #contamination = "";
  /** The events, written plainly. */
  #plain: readonly ExactRequest[] | undefined;
  #best = 0;
  /** The smallest input that failed, for a search that is stopped by hand. */
  #smallest: Kept | undefined;
  #trials = 0;

  constructor(
    source: MinimiseSource,
    taken: TakenCondition,
    receivers: Receivers,
    options: MinimiseOptions & {
      readonly isAllowed: (url: string) => boolean;
      readonly signal: AbortSignal;
      readonly startedMs: number;
    },
  ) {
    this.#source = source;
    this.#taken = taken;
    this.#receivers = receivers;
    this.#options = options;
    this.#isAboutPlay = isAboutPlay(taken.condition);
    const { isAllowed, signal } = options;
    const { replyToSender } = source;
    this.#counter = new PlayCounter(
      { condition: taken.condition, receivers, replyToSender, isAllowed, signal },
      options.timeoutMs ?? TIMEOUT_MS,
    );
  }

  async run(): Promise<Minimised> {
    try {
      return await this.#minimise();
    } catch (error) {
      if (this.#options.signal?.aborted !== true) throw error;
      if (this.#smallest !== undefined) return this.#result(this.#smallest, { isOneMinimal: false, cached: 0 });
      throw new LabError("no-receiver", "stopped by hand before anything failed", { cause: error });
    }
  }

  async #minimise(): Promise<Minimised> {
    const { elements } = this.#source;
    this.#best = elements.length;
    this.#report("first play");
    const first = await this.#findTarget();
    if (first === undefined) return this.#notReproduced();
    // Of requests of one moment, any may be the one that fails: all belong to the target.
    let end = first.index;
    while (elements[end + 1]?.request.with === "previous") end++;
    const target = (this.#target = { ...first, index: end });
    const cut = elements.slice(0, target.index + 1);
    const whole = (this.#smallest = cut.map((_, index) => index));
    this.#best = cut.length;
    if (!this.#receivers.isFresh) await this.#playAgain(cut);
    if (this.#contamination !== "") return this.#result(whole, { isOneMinimal: false, cached: 0 });
    const searched = await this.#search(cut);
    const found = this.#contamination === "" ? await this.#dropNeeded(cut, searched) : searched;
    if (this.#contamination === "") await this.#prove(cut, found);
    if (this.#contamination === "") await this.#simplify(cut, found);
    return this.#result(found.kept, found);
  }

  /** Plays the whole source until it fails. A failure that does not come at once is waited for in further plays. */
  async #findTarget(): Promise<MetFailure | undefined> {
    const { elements } = this.#source;
    const all = trialRequests(
      elements,
      elements.map((_, index) => index),
    );
    if (this.#isAboutPlay) await this.#requireNoFailureBefore();
    const every = Math.max(1, Math.ceil(all.length / 100));
    for (let run = 1; run <= MEASURED_RUNS; run++) {
      const { failures } = await this.#counter.play(all, { isPatient: true, asksAt: (played) => played % every === 0 });
      this.#seen.of++;
      const [first] = failures;
      if (first !== undefined) {
        this.#seen.failed++;
        return this.#isAboutPlay ? await this.#narrow(first, every) : first;
      }
      const takenMs = performance.now() - this.#options.startedMs;
      if (takenMs + takenMs / run > 0.5 * (this.#options.timeLimitMs ?? 60_000)) return undefined;
    }
    return undefined;
  }

  /** The request at which a condition of the play became true. */
  async #narrow(first: MetFailure, every: number): Promise<MetFailure> {
    if (every === 1) return first;
    const { elements } = this.#source;
    const upTo = trialRequests(
      elements.slice(0, first.index + 1),
      elements.slice(0, first.index + 1).map((_, index) => index),
    );
    const { failures } = await this.#counter.play(upTo, {
      isPatient: true,
      asksAt: (played) => played > upTo.length - every,
    });
    return failures[0] ?? first;
  }

  async #requireNoFailureBefore(): Promise<void> {
    if (this.#taken.condition.terms.some(({ kind }) => kind !== "check")) return;
    const { failures } = await this.#counter.play([], { isPatient: true });
    const [first] = failures;
    if (first === undefined) return;
    throw new LabError("bad-options", `${this.#taken.condition.text} fails before any event is sent: ${first.seen}`, {
      hint: "the receiver must be right at first: start it again for each trial with -- COMMAND, or name a --reset",
    });
  }

  /** Without a reset, the same input again shows whether the receiver remembers the play before. */
  async #playAgain(cut: readonly SourceElement[]): Promise<void> {
    const all = trialRequests(
      cut,
      cut.map((_, index) => index),
    );
    for (let run = 1; run <= 2; run++) {
      const { failures } = await this.#counter.play(all);
      this.#seen.of++;
      const [first] = failures;
      if (first !== undefined && this.#isSame(first)) {
        this.#seen.failed++;
        return;
      }
      if (first !== undefined) {
        const { index } = this.#target ?? first;
        this.#contamination = `played again, event ${first.index + 1} fails, which passed before; the failure was at event ${index + 1}`;
        return;
      }
    }
    this.#contamination = "the same input was played again, and did not fail any more";
  }

  async #search(cut: readonly SourceElement[]): Promise<SearchResult & { readonly passing?: Kept | undefined }> {
    const relations = relationsOf(cut);
    const target = cut.length - 1;
    let passing: Kept | undefined;
    const searchEndsMs = this.#options.startedMs + SEARCH_SHARE * (this.#options.timeLimitMs ?? 60_000);
    const found = await searchSmallest(
      {
        start: cut.map((_, index) => index),
        fixed: [target],
        candidates: relations.candidates,
        families: relations.families,
        needs: (element) => relations.needs.get(element),
      },
      {
        width: this.#receivers.width,
        trials: this.#options.trials ?? 300,
        hasTime: () => performance.now() < searchEndsMs && this.#contamination === "" && this.#hasTime(),
        test: async (kept) => {
          this.#trials++;
          this.#report("search");
          const outcome = await this.#test(cut, kept);
          if (outcome === "passes") passing = kept;
          return outcome;
        },
        onSmaller: async (kept) => {
          this.#best = kept.length;
          this.#smallest = kept;
          this.#report("search");
          const costMs = MEASURED_RUNS * this.#counter.estimateMs(kept.length);
          if (this.#rate === undefined && costMs < MEASURING_MS) await this.#measure(cut, kept);
          return true;
        },
      },
    );
    return { ...found, passing };
  }

  async #test(cut: readonly SourceElement[], kept: Kept): Promise<TrialOutcome> {
    const repeats = this.#rate === undefined ? (this.#seen.failed < this.#seen.of ? 3 : 1) : repeatsFor(this.#rate);
    for (let run = 1; run <= repeats; run++) if (await this.#fails(cut, kept)) return "fails";
    return "passes";
  }

  /** Whether the target fails with the same fingerprint. */
  async #fails(cut: readonly SourceElement[], kept: Kept, isPatient = false): Promise<boolean> {
    const result: TrialResult = await this.#counter.play(trialRequests(cut, kept), {
      isPatient,
      endsAt: (failure) => this.#isOfTarget(failure.index),
    });
    const met = result.failures.find((failure) => this.#isSame(failure));
    if (met !== undefined && this.#target !== undefined) {
      this.#target = { ...this.#target, answer: met.answer, seen: met.seen };
    }
    return met !== undefined;
  }

  #isSame(failure: MetFailure): boolean {
    return this.#isOfTarget(failure.index) && failure.fingerprint === this.#target?.fingerprint;
  }

  /** Whether a request is the target, or of the same moment. */
  #isOfTarget(index: number): boolean {
    const target = this.#target?.index ?? -1;
    let leader = target;
    while (leader > 0 && this.#source.elements[leader]?.request.with === "previous") leader--;
    return index >= leader && index <= target;
  }

  /** Plays an input that failed once until it was played eleven times. */
  async #measure(cut: readonly SourceElement[], kept: Kept): Promise<void> {
    let failed = 1;
    for (let left = MEASURED_RUNS - 1; left > 0; left -= this.#receivers.width) {
      const batch = Array.from({ length: Math.min(left, this.#receivers.width) }, () => this.#fails(cut, kept));
      failed += (await Promise.all(batch)).filter(Boolean).length;
    }
    this.#rate = rateOf(failed, MEASURED_RUNS);
    if (!this.#receivers.isFresh && failed === 1) {
      this.#contamination = "an input that failed did not fail when it was played again";
    }
  }

  /**
   * An mt_dlvd keeps its mt_sent, as its lack might be another failure. Where an ordinary mt_dlvd passes without its mt_sent,
   * it is none, so the mt_sent may go.
   */
  async #dropNeeded<Found extends SearchResult>(cut: readonly SourceElement[], found: Found): Promise<Found> {
    const { needs } = relationsOf(cut);
    let { kept } = found;
    for (const [element, needed] of needs) {
      if (!kept.includes(element) || !kept.includes(needed)) continue;
      const without = kept.filter((index) => index !== needed);
      if (!this.#hasTime() || !(await this.#fails(cut, without))) continue;
      this.#trials++;
      const ordinary = [...needs.keys()].filter((index) => !kept.includes(index)).slice(-3);
      let isHarmless = ordinary.length > 0;
      for (const index of ordinary) isHarmless &&= !(await this.#failsAlone(cut[index]?.request));
      if (isHarmless) kept = without;
      else {
        const type = cut[element]?.request.type ?? "";
        this.#notes.push(`the mt_sent stays with its ${type}: without it, any ${type} might fail in this way`);
      }
    }
    return { ...found, kept };
  }

  /** Whether a request by itself fails in the same way as the target. */
  async #failsAlone(request: ExactRequest | undefined): Promise<boolean> {
    if (request === undefined) return false;
    const { with: _, ...alone } = request;
    const { failures } = await this.#counter.play([{ index: 0, request: alone }]);
    return failures.some(({ fingerprint }) => fingerprint === this.#target?.fingerprint);
  }

  #hasTime(): boolean {
    const { timeLimitMs = 60_000, startedMs, signal } = this.#options;
    return signal?.aborted !== true && performance.now() < startedMs + timeLimitMs;
  }

  /** Writes the events plainly. A flaky failure stays as it is: each step would need many plays. */
  async #simplify(cut: readonly SourceElement[], { kept, isOneMinimal }: SearchResult): Promise<void> {
    const isSteady = this.#rate !== undefined && this.#rate.times === this.#rate.of;
    if (!isSteady || !isOneMinimal || kept.length > 20) return;
    this.#report("simplify");
    const { trials: most = 300 } = this.#options;
    const original = trialRequests(cut, kept).map(({ request }) => request);
    const last = original.at(-1);
    const control = cut.findLast(
      ({ request }, index) => !kept.includes(index) && request.type === last?.type && index < cut.length - 1,
    )?.request;
    const fails = async (requests: readonly ExactRequest[]): Promise<boolean> => {
      this.#trials++;
      this.#report("simplify");
      let leader = requests.length - 1;
      while (leader > 0 && requests[leader]?.with === "previous") leader--;
      const numbered = requests.map((request, index) => ({ index, request }));
      const { failures } = await this.#counter.play(numbered, { endsAt: ({ index }) => index >= leader });
      const met = failures.find(
        ({ index, fingerprint }) => index >= leader && fingerprint === this.#target?.fingerprint,
      );
      if (met !== undefined && this.#target !== undefined)
        this.#target = { ...this.#target, answer: met.answer, seen: met.seen };
      return met !== undefined;
    };
    const { requests } = await simplifyRequests(original, {
      fails,
      control,
      controlFails: (request) => this.#failsAlone(request),
      trials: Math.max(0, Math.min(40, most - this.#trials, Math.max(15, 110 - this.#trials))),
      hasTime: () => this.#hasTime(),
    });
    // What was proven of the events must be true of the plain ones, too.
    for (let place = 0; place < requests.length - 1; place++) {
      if (!this.#hasTime()) return;
      if (await fails(withoutOne(requests, place))) {
        this.#notes.push("the texts, fields and times are as they were: with plain ones, fewer events would be needed");
        await fails(original);
        return;
      }
    }
    if (await fails(requests)) this.#plain = requests;
  }

  /** The last round: the result fails again, and an input that passed passes again. */
  async #prove(
    cut: readonly SourceElement[],
    { kept, passing }: SearchResult & { readonly passing?: Kept | undefined },
  ): Promise<void> {
    this.#report("last round");
    if (this.#rate === undefined) await this.#measure(cut, kept);
    const isSteady = this.#rate !== undefined && this.#rate.times === this.#rate.of;
    if (!isSteady) return;
    if (passing !== undefined && passing.length <= 4 * kept.length + 20 && (await this.#fails(cut, passing))) {
      this.#contamination = "an input that passed fails when it is played again";
    } else if (!(await this.#fails(cut, kept, true))) {
      this.#contamination = "the smallest failing input does not fail when it is played again";
    } else if (!this.#receivers.isFresh) await this.#proveForOthers(cut, kept);
  }

  /**
   * A receiver that is never reset may fail at the smallest input only because of what earlier plays left behind. Other
   * people and handsets have left nothing there: if the whole input of others fails and the smallest one does not, it does.
   */
  async #proveForOthers(cut: readonly SourceElement[], kept: Kept): Promise<void> {
    const whole = cut.map((_, index) => index);
    for (const [round, replaced] of (["people and handsets", "people"] as const).entries()) {
      if (!this.#hasTime() || !(await this.#failsOfOthers(cut, whole, replaced, 2 * round + 1))) continue;
      if (await this.#failsOfOthers(cut, kept, replaced, 2 * round + 2)) return;
      this.#contamination = `of other ${replaced} the whole input fails, and the smallest one does not: it fails only with what earlier plays left behind`;
      return;
    }
    this.#notes.push(
      "the receiver was not reset, and it could not be shown that it forgets earlier plays: start it with -- COMMAND, or name a --reset",
    );
  }

  async #failsOfOthers(cut: readonly SourceElement[], kept: Kept, replaced: Replaced, round: number): Promise<boolean> {
    const trial = trialRequests(cut, kept);
    const others = ofOthers(
      trial.map(({ request }) => request),
      replaced,
      round,
    );
    const requests = others.map((request, place) => ({ index: trial[place]?.index ?? 0, request }));
    const { failures } = await this.#counter.play(requests, { endsAt: ({ index }) => index === this.#target?.index });
    return failures.some((failure) => this.#isSame(failure));
  }

  #notReproduced(): Minimised {
    return {
      ...this.#result([], { isOneMinimal: false, cached: 0 }),
      reproduced: false,
      after: countsOf(this.#source.elements),
    };
  }

  #result(
    kept: Kept,
    { isOneMinimal, cached }: { readonly isOneMinimal: boolean; readonly cached: number },
  ): Minimised {
    const { elements } = this.#source;
    const target = this.#target;
    const isContaminated = this.#contamination !== "";
    const left = isContaminated ? [] : kept.flatMap((index) => elements[index] ?? []);
    const rate = this.#rate ?? rateOf(this.#seen.failed, Math.max(1, this.#seen.of));
    const written = this.#plain ?? trialRequests(elements, isContaminated ? [] : kept).map(({ request }) => request);
    const firstMs = written[0]?.atMs ?? 0;
    const events = written.map((request) => ({
      ...request,
      atMs: request.atMs - firstMs,
    }));
    const isProven = isOneMinimal && !isContaminated;
    return {
      reproduced: true,
      failed: rate.times,
      of: rate.of,
      rate,
      condition: this.#taken.condition.text,
      failure: this.#taken.condition,
      took: this.#taken.took,
      trials: this.#trials,
      cached,
      plays: this.#counter.plays,
      seconds: Math.round((performance.now() - this.#options.startedMs) / 100) / 10,
      before: countsOf(elements),
      after: countsOf(isContaminated ? elements : left),
      oneMinimal: isProven,
      endedBy: isProven || target === undefined ? "" : this.#endedBy(),
      events,
      failsAt: target === undefined || isContaminated ? null : events.length,
      same: target?.fingerprint ?? "",
      others: this.#counter.others(target?.fingerprint ?? ""),
      contaminated: isContaminated,
      contamination: this.#contamination,
      scenario: null,
      bug: null,
      answer: target?.answer,
      seen: target?.seen,
      notes: this.#notes,
    };
  }

  #endedBy(): string {
    if (this.#contamination !== "") return this.#contamination;
    const { trials = 300, timeLimitMs = 60_000, signal } = this.#options;
    if (signal?.aborted === true) return "it was stopped by hand";
    return this.#trials >= trials - this.#receivers.width
      ? `the limit of ${trials} trials was reached: --trials raises it`
      : `the time limit of ${timeLimitMs / 1000} s was reached: --time-limit raises it`;
  }

  #report(phase: MinimiseStep["phase"]): void {
    this.#options.onStep?.({
      phase,
      trials: this.#trials,
      events: this.#best,
      before: this.#source.elements.length,
    });
  }
}

/** The requests without one; one that went with it goes with the request before it, if that is of the same moment. */
function withoutOne(requests: readonly ExactRequest[], place: number): ExactRequest[] {
  const isFirst = requests[place]?.with === undefined;
  return requests.flatMap((request, index) => {
    if (index === place) return [];
    if (index !== place + 1 || !isFirst) return [request];
    const { with: _, ...alone } = request;
    return [alone];
  });
}

function countsOf(elements: readonly SourceElement[]): InputCounts {
  const named = (values: readonly (string | undefined)[]): number =>
    new Set(values.filter((value) => value !== undefined)).size;
  return {
    events: elements.length,
    people: named(elements.map(({ person }) => person)),
    handsets: named(elements.map(({ handset }) => handset)),
    span: (elements.at(-1)?.request.atMs ?? 0) - (elements[0]?.request.atMs ?? 0),
  };
}
