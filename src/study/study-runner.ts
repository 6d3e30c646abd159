import { rmSync } from "node:fs";
import { join } from "node:path";
import { LabError } from "../base/index.js";
import { durationLiteral, type Scenario } from "../scenario/index.js";
import { type Capacity, type TrialOutcome, searchCapacity } from "./capacity.js";
import { ConnectionLimit } from "./connection-limit.js";
import { type FieldUnits, fieldUnits } from "./field-units.js";
import { LoadPerValue } from "./load-per-value.js";
import type { StudyOptions, StudyResult } from "./options.js";
import type { Recovery } from "./recovery.js";
import { capacitySentence } from "./sentence.js";
import { isSteady } from "./steady.js";
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
 * If a count grows by `times` and the attempts grow by less than `attempts`, the value does not drive the load, and the
 * search would never find a limit.
 */
const LEAST_GROWTH = { times: 8, attempts: 1.2 };

/** The ramp's step. A rate this many times as high yields clearly more attempts, unless the phones limit them. */
const FLAT_TIMES = 4;

/** @throws LabError `bad-options` when the load does not grow with the value */
function checkGrowth(trials: readonly Trial[], kind: Varied["quantity"]["kind"]): void {
  const [first, last] = [trials[0], trials.at(-1)];
  if (kind !== "count" || first === undefined || last?.verdict !== "passed") return;
  const isMuchHarder = last.value >= LEAST_GROWTH.times * first.value;
  if (!isMuchHarder || last.attemptsPerSecond >= LEAST_GROWTH.attempts * first.attemptsPerSecond) return;
  throw new LabError(
    "bad-options",
    `${last.value / first.value} times as many do not yield more events, so there is no limit to find`,
    {
      hint: "rates of traffic are those of a whole entry: vary the rate, or give a rate for each handset",
    },
  );
}

/** Whether a passed trial with a rate several times as high had hardly more attempts due. */
function hasFlatLoad(trials: readonly Trial[]): boolean {
  const last = trials.at(-1);
  if (last?.verdict !== "passed") return false;
  return trials.some(
    ({ value, verdict, attemptsPerSecond }) =>
      verdict === "passed" &&
      last.value >= FLAT_TIMES * value &&
      last.attemptsPerSecond < LEAST_GROWTH.attempts * attemptsPerSecond,
  );
}

/** Notes for the reader about how the result was found. */
function notesOn({ kind, isMonotone, generatorLimit, limitedBy }: Capacity, units: FieldUnits): string[] {
  const notes: string[] = [];
  if (!isMonotone) {
    notes.push(
      "a level failed although a harder one passed: the receiver is not steady, so trust the interval, not a level",
    );
  }
  if (kind !== "knee") return notes;
  if (generatorLimit !== undefined) {
    notes.push(`at ${units.amount(generatorLimit)} this machine itself fell behind, which limits the precision`);
  }
  if (limitedBy === "time") notes.push("the time limit was reached before the requested precision");
  if (limitedBy === "stopped") notes.push("the search was stopped before the requested precision");
  if (limitedBy === "trials")
    notes.push("the trials contradict each other: the maximum of trials was reached before the requested precision");
  return notes;
}

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
  /** The error that showed that the receiver is gone. */
  #receiverLoss: LabError | undefined;

  constructor(options: StudyRunnerOptions) {
    this.#options = options;
    this.#limit = new ConnectionLimit(options);
    this.#endsAt = performance.now() + (options.timeLimitMs ?? Infinity);
  }

  /** Why the study ended early; undefined: it did not. */
  get problem(): string | undefined {
    return this.#receiverLoss?.message;
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
      ...(trialMs !== undefined && { trialMs }),
      hasShortTrials,
      isLongByStory: !hasShortTrials && canBeShort({ ...base, story: [] }, path),
      expectedMs: budget.expectedMs,
      isLimited: budget.leftMs !== Infinity,
    });
    const played: Trial[] = [];
    const notes: string[] = [];
    if (!this.#isWarm) await this.#warmUp(readOrThrow(source, [setting(from)]), hasShortTrials ? 0 : 5000);
    const load = new LoadPerValue(quantity.kind);
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
      const { trial, outcome } = this.#withinConnections(result);
      played.push(trial);
      listener?.onTrialEnd(trial);
      checkGrowth(played, quantity.kind);
      await this.#recover(units.amount(value), notes);
      budget.recordTrial(lengthMs, performance.now() - begunAt);
      const isFlat = quantity.kind === "rate" && outcome.isSparse !== true && hasFlatLoad(played);
      return load.correctOutcome(trial, { ...outcome, ...(isFlat && { isFlat }) });
    };
    const capacity = await searchCapacity(play, {
      from,
      ...(to !== undefined && { to }),
      isFromEasiest: isFromGiven,
      trials,
      precision,
      probesCount: !hasShortTrials,
      round: quantity.round,
      isPossible: (value) => isSound(readWith(source, [setting(value)])),
      endsBy: (length) => this.#endsBy(length),
    });
    notes.push(...notesOn(capacity, units), ...(this.#limit.note === undefined ? [] : [this.#limit.note]));
    return {
      vary: path,
      sentence: capacitySentence(capacity, { units, quantity, trials: played }),
      ...capacity,
      spelled: capacity.levels.map(({ value }) => quantity.spell(value)),
      trials: played,
      notes,
      units,
    };
  }

  /** Adds the reason if the connections were the limit of a trial; the trial is void if the next one has more. */
  #withinConnections({ trial, outcome, use }: PlayedTrial): Omit<PlayedTrial, "use"> {
    const found = this.#limit.assess(use);
    if (found === undefined) return { trial, outcome };
    const { reason, isRaised } = found;
    const verdict = isRaised ? "void" : trial.verdict;
    return {
      trial: { ...trial, verdict, reasons: [reason, ...trial.reasons] },
      outcome: { ...outcome, verdict },
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
      ...(trialMs !== undefined && { trialMs }),
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
    await this.#recover("warming up", []);
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
    const { receiver, folder, keep, pass, lateMs, listener, speed = 1, allowHosts = [] } = this.#options;
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
        connections: this.#limit.connections,
        ...(signal !== undefined && { signal }),
      },
      onStart: (progress) => listener?.onAction({ text: what.text, progress, ...this.#timeLeft() }),
    });
    return played.finally(() => {
      if (keep === undefined) for (const end of ["", "-wal", "-shm"]) rmSync(recording + end, { force: true });
    });
  }

  #timeLeft(): { leftMs?: () => number } {
    const budget = this.#budget;
    return budget === undefined ? {} : { leftMs: () => budget.expectedMs };
  }

  /** Waits for the receiver. If it is gone, the study ends with the results so far. */
  async #recover(after: string, notes: string[]): Promise<void> {
    const { recovery, listener, signal } = this.#options;
    if (signal?.aborted === true) return;
    listener?.onAction({ text: "waiting until the receiver has recovered", ...this.#timeLeft() });
    try {
      if (await recovery.waitUntilCalm()) return;
      notes.push(`after ${after} the receiver stayed slower than before the first trial; the next trial began anyway`);
    } catch (error) {
      if (!(error instanceof LabError) || error.code !== "no-receiver") throw error;
      this.#receiverLoss = error;
      notes.push(`after ${after} ${error.message}`);
    }
  }
}

function canBeShort(scenario: Scenario, path: string): boolean {
  return isSteady(scenario) && path !== "lasts" && !(path.startsWith("story") && scenario.story.length === 0);
}
