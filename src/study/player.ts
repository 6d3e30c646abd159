import { rmSync } from "node:fs";
import { join } from "node:path";
import { LabError } from "../base/index.js";
import { durationLiteral, type Scenario } from "../scenario/index.js";
import { type Capacity, type Outcome, searchCapacity } from "./capacity.js";
import { ConnectionLimit } from "./connection-limit.js";
import { type FieldUnits, fieldUnits } from "./field-units.js";
import { LoadPerValue } from "./load-per-value.js";
import type { StudyOptions, StudyResult } from "./options.js";
import type { Recovery } from "./recovery.js";
import { capacitySentence } from "./sentence.js";
import { isSteady } from "./steady.js";
import { TimeBudget, type TrialLength } from "./time-budget.js";
import { type PlayedTrial, playTrial, type Trial } from "./trial.js";
import { isSound, mustRead, readWith, type Varied } from "./vary.js";

/** What a search may take where the length of its trials is chosen. Wall milliseconds. */
const CHOSEN_LIMIT_MS = 120_000;

/**
 * Warm-up added to each trial, virtual milliseconds: phones report a text within six seconds, so the load is full only then.
 * A short trial measures its load in its last third, which is after the warm-up.
 */
const LEAD_MS: Readonly<Record<TrialLength, number>> = { probe: 5500, trial: 4000 };

/** Of so many times more phones or people there must be so many times more attempts, or it will never break. */
const GROWTH = { times: 8, attempts: 1.2 };

/** The ramp's step. A rate this many times as high makes clearly more attempts, unless the phones limit them. */
const FLAT_TIMES = 4;

/** @throws LabError `bad-options` when the load does not grow with the value */
function checkGrowth(trials: readonly Trial[], kind: Varied["quantity"]["kind"]): void {
  const [first, last] = [trials[0], trials.at(-1)];
  if (kind !== "count" || first === undefined || last?.verdict !== "passed") return;
  const isMuchHarder = last.value >= GROWTH.times * first.value;
  if (!isMuchHarder || last.attemptsPerSecond >= GROWTH.attempts * first.attemptsPerSecond) return;
  throw new LabError(
    "bad-options",
    `${last.value / first.value} times as many make no more events: there is no limit to find`,
    {
      hint: "rates of traffic are those of a whole entry: vary the rate, or give a rate for each handset",
    },
  );
}

/** Of a rate several times as high hardly more attempts came due, although the trial passed. */
function hasFlatLoad(trials: readonly Trial[]): boolean {
  const last = trials.at(-1);
  if (last?.verdict !== "passed") return false;
  return trials.some(
    ({ value, verdict, attemptsPerSecond }) =>
      verdict === "passed" &&
      last.value >= FLAT_TIMES * value &&
      last.attemptsPerSecond < GROWTH.attempts * attemptsPerSecond,
  );
}

/** What a reader of the answer should know of how it was found. */
function notesOn({ kind, isMonotone, generatorLimit, limitedBy }: Capacity, units: FieldUnits): string[] {
  const notes: string[] = [];
  if (!isMonotone) {
    notes.push(
      "a level failed although a harder one passed: the receiver is not steady, so trust the interval, not a level",
    );
  }
  if (kind !== "knee") return notes;
  if (generatorLimit !== undefined) {
    notes.push(`at ${units.amount(generatorLimit)} this machine itself fell behind, so that it is not known better`);
  }
  if (limitedBy === "time") notes.push("the time was up before it was known as well as was asked for");
  if (limitedBy === "stopped") notes.push("it was stopped before it was known as well as was asked for");
  if (limitedBy === "trials")
    notes.push("the trials contradict each other: they were used up before it was known better");
  return notes;
}

export interface PlayerOptions extends Omit<StudyOptions, "pass" | "connections"> {
  readonly connections: number;
  /** The user has set `connections`, so that they are not raised. */
  readonly isFixed: boolean;
  readonly pass: readonly string[];
  readonly lateMs: number;
  readonly receiver: string;
  readonly folder: string;
  readonly recovery: Recovery;
}

/** Plays the trials of a study, one after the other. */
export class Player {
  readonly #options: PlayerOptions;
  readonly #endsAt: number;
  readonly #limit: ConnectionLimit;
  #isWarm = false;
  #count = 0;
  /** Values whose search has begun. */
  #studied = 0;
  #budget: TimeBudget | undefined;
  /** The receiver is gone, and this is how it showed. */
  #death: LabError | undefined;

  constructor(options: PlayerOptions) {
    this.#options = options;
    this.#limit = new ConnectionLimit(options);
    this.#endsAt = performance.now() + (options.timeLimitMs ?? Infinity);
  }

  /** Why it ended before all was found out; undefined: it did not. */
  get problem(): string | undefined {
    return this.#death?.message;
  }

  async study(varied: Varied, base: Scenario): Promise<StudyResult> {
    const { source, trials = 1, precision = 0.1, speed = 1, listener } = this.#options;
    const { path, quantity, from, to, isFromGiven } = varied;
    const setting = (value: number): string => `${path}=${quantity.spell(value)}`;
    const units = fieldUnits(quantity, { path, scenarioAt: (value) => mustRead(source, [setting(value)]) });
    const { budget, hasShortTrials, trialMs } = this.#planFor(path, base);
    this.#budget = budget;
    listener?.begins({
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
    if (!this.#isWarm) await this.#warmUp(mustRead(source, [setting(from)]), hasShortTrials ? 0 : 5000);
    const load = new LoadPerValue(quantity.kind);
    const play = async (value: number, length: TrialLength): Promise<Outcome> => {
      const lengthMs = budget.lengthMs(length);
      const begunAt = performance.now();
      const lasts = hasShortTrials
        ? [`lasts=${durationLiteral(Math.ceil(lengthMs * speed + LEAD_MS[length]))}`, "drain=0s"]
        : [];
      // Another seed for each, or trials of a level would be one and the same.
      const scenario = mustRead(source, [setting(value), ...lasts], base.seed + played.length);
      const text = `${length === "probe" ? "ramp" : "trial"} ${played.length + 1}: ${units.amount(value)}`;
      const result = await this.#play(scenario, { value, length, text, label: `${path}-${value}` });
      const { trial, outcome } = this.#withinConnections(result);
      played.push(trial);
      listener?.ended(trial);
      checkGrowth(played, quantity.kind);
      await this.#recover(units.amount(value), notes);
      budget.played(lengthMs, performance.now() - begunAt);
      const isFlat = quantity.kind === "rate" && outcome.isSparse !== true && hasFlatLoad(played);
      return load.corrected(trial, { ...outcome, ...(isFlat && { isFlat }) });
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

  /** A trial in which our own connections were the limit says so; it is void where the next one has more of them. */
  #withinConnections({ trial, outcome, use }: PlayedTrial): Omit<PlayedTrial, "use"> {
    const found = this.#limit.look(use);
    if (found === undefined) return { trial, outcome };
    const { reason, isRaised } = found;
    const verdict = isRaised ? "void" : trial.verdict;
    return {
      trial: { ...trial, verdict, reasons: [reason, ...trial.reasons] },
      outcome: { ...outcome, verdict },
    };
  }

  /** How long trials are: as the search needs them where any part of the scenario is like any other, else the whole. */
  #planFor(
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
    if (this.#death !== undefined) return "receiver";
    if (this.#options.signal?.aborted === true) return "stopped";
    return this.#budget?.fits(length) === false ? "time" : undefined;
  }

  /** What is slow at first on either side (compilers, caches, pools of connections) is to be over before it counts. */
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
      onStart: (progress) => listener?.doing({ text: what.text, progress, ...this.#left() }),
    });
    return played.finally(() => {
      if (keep === undefined) for (const end of ["", "-wal", "-shm"]) rmSync(recording + end, { force: true });
    });
  }

  #left(): { leftMs?: () => number } {
    const budget = this.#budget;
    return budget === undefined ? {} : { leftMs: () => budget.expectedMs };
  }

  /** A receiver that is gone ends the study, but what was found out so far is told. */
  async #recover(after: string, notes: string[]): Promise<void> {
    const { recovery, listener, signal } = this.#options;
    if (signal?.aborted === true) return;
    listener?.doing({ text: "waiting until the receiver has recovered", ...this.#left() });
    try {
      if (await recovery.wait()) return;
      notes.push(`after ${after} the receiver stayed slower than it was in calm; the next trial began all the same`);
    } catch (error) {
      if (!(error instanceof LabError) || error.code !== "no-receiver") throw error;
      this.#death = error;
      notes.push(`after ${after} ${error.message}`);
    }
  }
}

function canBeShort(scenario: Scenario, path: string): boolean {
  return isSteady(scenario) && path !== "lasts" && !(path.startsWith("story") && scenario.story.length === 0);
}
