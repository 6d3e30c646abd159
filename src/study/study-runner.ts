import { rmSync } from "node:fs";
import { join } from "node:path";
import { LabError } from "../base/index.js";
import type { RunningCommand } from "../run/index.js";
import { durationLiteral, type Scenario } from "../scenario/index.js";
import { type TrialOutcome, searchCapacity } from "./capacity.js";
import { ConnectionLimit } from "./connection-limit.js";
import { fieldUnits } from "./field-units.js";
import { COLLAPSE_DOUBT, HeldLoad } from "./held-load.js";
import { checkGrowth, hasFlatLoad } from "./load-growth.js";
import { LoadPerValue } from "./load-per-value.js";
import { notesOn } from "./notes.js";
import type { StudyOptions, StudyResult } from "./options.js";
import type { Recovery } from "./recovery.js";
import { capacitySentence } from "./sentence.js";
import { TimeBudget, type TrialLength } from "./time-budget.js";
import { type PlayedTrial, playTrial, type Trial } from "./trial.js";
import { isSound, readOrThrow, readWith, type Varied } from "./vary.js";

/** Time limit of a search that chooses the length of its trials. Wall milliseconds. */
const CHOSEN_LIMIT_MS = 120_000;

/**
 * Warm-up added to each trial, virtual milliseconds: phones report a text within six seconds, so the load is full only
 * then. A short trial measures its load in its last third, after the warm-up.
 */
const LEAD_MS: Readonly<Record<TrialLength, number>> = { probe: 5500, trial: 4000 };

/**
 * As `TrialOutcome.doubt`, near the limit of the connections. A receiver that other programs delay needs more
 * connections for the same load, so nearly every such trial fails.
 */
const CROWDED_DOUBT = 0.9;

/** Options of a `StudyRunner`, with all defaults resolved that it needs. */
export interface StudyRunnerOptions extends Omit<StudyOptions, "pass" | "connections"> {
  readonly connections: number;
  /** The user has set `connections`, so the number is not raised. */
  readonly isFixed: boolean;
  readonly pass: readonly string[];
  readonly lateMs: number;
  readonly receiver: string;
  readonly folder: string;
  readonly recovery: Recovery;
  /** The receiver that the study has started. */
  readonly runningCommand: RunningCommand | undefined;
}

/** Searches the limit of each value of a study, one after the other, and plays the trials. */
export class StudyRunner {
  readonly #options: StudyRunnerOptions;
  readonly #endsAt: number;
  readonly #limit: ConnectionLimit;
  #isWarm = false;
  #count = 0;
  /** Number of values whose search has begun. */
  #studied = 0;
  #budget: TimeBudget | undefined;
  /** Why the receiver is gone. */
  #receiverLoss: string | undefined;

  constructor(options: StudyRunnerOptions) {
    this.#options = options;
    this.#limit = new ConnectionLimit(options);
    this.#endsAt = performance.now() + (options.timeLimitMs ?? Infinity);
  }

  /** Why the study ended early; undefined: it did not. */
  get problem(): string | undefined {
    return this.#receiverLoss;
  }

  async studyValue(varied: Varied, base: Scenario): Promise<StudyResult> {
    const { source, trials = 1, precision = 0.1, speed = 1, listener } = this.#options;
    const { path, quantity, from, to, isFromGiven } = varied;
    const setting = (value: number): string => `${path}=${quantity.spell(value)}`;
    const units = fieldUnits(quantity, { path, scenarioAt: (value) => readOrThrow(source, [setting(value)]) });
    const { budget, hasShortTrials, trialMs } = this.#planTrials(path, base);
    this.#budget = budget;
    listener?.onValueBegin({
      vary: path,
      units,
      speed,
      trialMs,
      hasShortTrials,
      isLongByStory: !hasShortTrials && canBeShort({ ...base, story: [] }, path),
      expectedMs: budget.expectedMs,
      isLimited: budget.leftMs !== Infinity,
    });
    const played: Trial[] = [];
    const notes: string[] = [];
    if (!this.#isWarm) await this.#warmUp(readOrThrow(source, [setting(from)]), hasShortTrials ? 0 : 5000);
    const load = new LoadPerValue(quantity.kind);
    const held = new HeldLoad({ lateMs: this.#options.lateMs });
    const play = async (value: number, length: TrialLength): Promise<TrialOutcome> => {
      const lengthMs = budget.lengthMs(length);
      const begunAt = performance.now();
      const lasts = hasShortTrials
        ? [`lasts=${durationLiteral(Math.ceil(lengthMs * speed + LEAD_MS[length]))}`, "drain=0s"]
        : [];
      // A separate seed for each trial, or trials of a level would be identical.
      const scenario = readOrThrow(source, [setting(value), ...lasts], base.seed + played.length);
      const text = `${length === "probe" ? "ramp" : "trial"} ${played.length + 1}: ${units.amount(value)}`;
      const result = await this.#play(scenario, { value, length, text, label: `${path}-${value}` });
      const connected = this.#withinConnections(result);
      const { handledPerSecond } = connected;
      const { trial, outcome } = withoutDoubt(connected, held);
      played.push(trial);
      listener?.onTrialEnd(trial);
      checkGrowth(played, quantity.kind);
      await this.#recover(units.amount(value), notes, { ...outcome, death: result.death });
      budget.recordTrial(lengthMs, performance.now() - begunAt);
      const isFlat = quantity.kind === "rate" && outcome.isSparse !== true && hasFlatLoad(played);
      return load.correctOutcome({ ...trial, handledPerSecond }, { ...outcome, ...(isFlat && { isFlat }) });
    };
    const capacity = await searchCapacity(play, {
      from,
      to,
      isFromEasiest: isFromGiven,
      trials,
      precision,
      probesCount: !hasShortTrials,
      round: quantity.round,
      isPossible: (value) => isSound(readWith(source, [setting(value)])),
      endsBy: (length) => this.#endsBy(length),
    });
    notes.push(...notesOn(capacity, units, played), ...(this.#limit.note === undefined ? [] : [this.#limit.note]));
    const ceiling = capacity.limitedBy === "connections" ? this.#limit.ceiling : undefined;
    return {
      vary: path,
      sentence: capacitySentence(capacity, { units, quantity, trials: played, ...(ceiling && { ceiling }) }),
      ...capacity,
      connectionsToTry: ceiling?.toTry,
      spelled: capacity.levels.map(({ value }) => quantity.spell(value)),
      trials: played,
      notes,
      units,
    };
  }

  /** Adds the reason if the connections were the limit of a trial; the trial is void if the next one has more. */
  #withinConnections({ trial, outcome, use }: PlayedTrial): ConnectedTrial {
    const found = this.#limit.assess(use);
    const { handledPerSecond } = trial;
    if (found === undefined) return { trial, outcome, handledPerSecond };
    const { reason, isRaised } = found;
    const reasons = [reason, ...trial.reasons];
    if (isRaised) {
      const isVoid = { verdict: "void" } as const;
      return { trial: { ...trial, ...isVoid, reasons }, outcome: { ...outcome, ...isVoid }, handledPerSecond };
    }
    const { carriedPerSecond } = this.#limit;
    // The connections cannot carry this load, so the trial fails even on a quiet machine.
    const isCertain = trial.attemptsPerSecond > carriedPerSecond;
    const { doubt, ...rest } = outcome;
    const verdict = isCertain ? "failed" : trial.verdict;
    return {
      trial: { ...trial, verdict, reasons },
      outcome: {
        ...(isCertain ? rest : outcome),
        verdict,
        ...(verdict === "failed" && { isByConnections: true }),
        ...(!isCertain && doubt !== undefined && { doubt: CROWDED_DOUBT, isByConnections: true }),
        ...(outcome.isRough === true && { handled: Math.min(1, carriedPerSecond / trial.attemptsPerSecond) }),
      },
      handledPerSecond: outcome.isRough === true ? carriedPerSecond : handledPerSecond,
    };
  }

  /** Plans the length of trials: chosen by the search if the scenario is steady, else the whole scenario. */
  #planTrials(
    path: string,
    base: Scenario,
  ): { readonly budget: TimeBudget; readonly hasShortTrials: boolean; readonly trialMs: number | undefined } {
    const { source, speed = 1, timeLimitMs, vary } = this.#options;
    const hasShortTrials = canBeShort(base, path);
    const isChosen = hasShortTrials && !source.set.some((one) => one.startsWith("lasts="));
    const trialMs = isChosen ? undefined : base.cast.lastsMs / speed;
    const ownMs = timeLimitMs === undefined ? undefined : this.#endsAt - performance.now();
    const shareMs = ownMs === undefined ? undefined : ownMs / Math.max(1, vary.length - this.#studied++);
    const budget = new TimeBudget({
      now: () => performance.now(),
      limitMs: shareMs ?? (isChosen ? CHOSEN_LIMIT_MS : Infinity),
      trialMs,
      isWhole: !hasShortTrials,
    });
    return { budget, hasShortTrials, trialMs };
  }

  #endsBy(length: TrialLength): "receiver" | "stopped" | "time" | undefined {
    if (this.#receiverLoss !== undefined) return "receiver";
    if (this.#options.signal?.aborted === true) return "stopped";
    return this.#budget?.fits(length) === false ? "time" : undefined;
  }

  /** Plays the easiest value first, so that compilers, caches and connection pools on both sides are warm. */
  async #warmUp(scenario: Scenario, usualMs: number): Promise<void> {
    this.#isWarm = true;
    const { warmUpMs = usualMs, signal } = this.#options;
    if (warmUpMs <= 0 || signal?.aborted === true) return;
    const over = new AbortController();
    const timer = setTimeout(() => over.abort(), warmUpMs);
    const signals = [over.signal, signal].filter((one) => one !== undefined);
    try {
      await this.#play(scenario, {
        value: 0,
        length: "probe",
        text: "warming up",
        label: "warm-up",
        signal: AbortSignal.any(signals),
      });
    } finally {
      clearTimeout(timer);
    }
    await this.#recover("warming up", [], { verdict: "passed", isSparse: true });
  }

  #play(
    scenario: Scenario,
    what: {
      readonly value: number;
      readonly length: TrialLength;
      readonly text: string;
      readonly label: string;
      readonly signal?: AbortSignal;
    },
  ): Promise<PlayedTrial> {
    const {
      receiver,
      folder,
      keep,
      pass,
      lateMs,
      listener,
      speed = 1,
      allowHosts = [],
      judgeBusy = false,
    } = this.#options;
    const signal = what.signal ?? this.#options.signal;
    const name = `${String(++this.#count).padStart(3, "0")}-${what.label.replaceAll(/[^\w.-]+/g, "-")}.db`;
    const recording = join(folder, name);
    const played = playTrial(scenario, {
      value: what.value,
      length: what.length,
      pass,
      lateMs,
      isKept: keep !== undefined,
      run: {
        receiver,
        recording,
        pace: speed,
        allowHosts,
        judgeBusy,
        connections: this.#limit.connections,
        signal,
      },
      onStart: (progress) => listener?.onAction({ text: what.text, progress, ...this.#timeLeft() }),
    });
    return played.finally(() => {
      if (keep === undefined) for (const end of ["", "-wal", "-shm"]) rmSync(recording + end, { force: true });
    });
  }

  /** How the receiver's command ended by itself; undefined: it has not, or there is none. */
  get #commandEnd(): string | undefined {
    const ended = this.#options.runningCommand?.hasEnded;
    return ended?.aborted === true && ended.reason instanceof Error ? ended.reason.message : undefined;
  }

  #timeLeft(): { leftMs?: () => number } {
    const budget = this.#budget;
    return budget === undefined ? {} : { leftMs: () => budget.expectedMs };
  }

  /** Waits for the receiver. If it is gone, the study ends with the results so far. */
  async #recover(
    after: string,
    notes: string[],
    { verdict, isSparse, death }: TrialOutcome & Pick<PlayedTrial, "death">,
  ): Promise<void> {
    const { recovery, listener, signal } = this.#options;
    if (signal?.aborted === true) return;
    listener?.onAction({ text: "waiting until the receiver has recovered", ...this.#timeLeft() });
    try {
      const kind = verdict !== "passed" ? "overload" : isSparse === true ? "small" : "held";
      if (await recovery.waitUntilCalm(kind)) return;
      notes.push(`after ${after} the receiver stayed slower than before the first trial; the next trial began anyway`);
    } catch (error) {
      if (!(error instanceof LabError) || error.code !== "no-receiver") throw error;
      this.#receiverLoss = [death?.replace(/\.$/, ""), this.#commandEnd, error.message]
        .filter((reason) => reason !== undefined)
        .join("; ");
      notes.push(`after ${after}: ${this.#receiverLoss}`);
    }
  }
}

/** A trial, corrected for the limit of the connections. */
interface ConnectedTrial extends Omit<PlayedTrial, "use"> {
  /** Attempts per second that the receiver handled, or that the connections carry. */
  readonly handledPerSecond: number | null;
}

/** Makes a failed trial void if stalls of this machine can have made the receiver collapse. */
function withoutDoubt(
  { trial, outcome }: Pick<PlayedTrial, "trial" | "outcome">,
  held: HeldLoad,
): { readonly trial: Trial; readonly outcome: TrialOutcome } {
  const doubt = held.assess(trial);
  if (doubt === undefined) return { trial, outcome };
  return {
    trial: { ...trial, verdict: "void", reasons: [doubt, ...trial.reasons] },
    outcome: { ...outcome, verdict: "void", doubt: COLLAPSE_DOUBT },
  };
}

function canBeShort(scenario: Scenario, path: string): boolean {
  return isSteady(scenario) && path !== "lasts" && !(path.startsWith("story") && scenario.story.length === 0);
}

/**
 * Whether a scenario is stationary: no story, and traffic at a constant rate from begin to end. Then a trial can have
 * any length. Else the whole scenario is a trial.
 */
function isSteady({ story, cast }: Scenario): boolean {
  const { lastsMs, traffic } = cast;
  const isConstant = ({ fromMs, untilMs, shape, arrivals }: (typeof traffic)[number]): boolean =>
    fromMs === 0 && untilMs >= lastsMs && shape.kind === "constant" && (arrivals === "poisson" || arrivals === "even");
  return story.length === 0 && traffic.length > 0 && traffic.every(isConstant);
}
