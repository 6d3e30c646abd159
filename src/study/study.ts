import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LabError, type Progress } from "../lab/index.js";
import type { Scenario } from "../scenario/index.js";
import { type Capacity, searchCapacity, type Verdict } from "./capacity.js";
import { CONFIDENCE } from "./knee.js";
import { type FieldUnits, fieldUnits } from "./field-units.js";
import { boundsMs, passLines } from "./pass.js";
import { Recovery } from "./recovery.js";
import { capacitySentence } from "./sentence.js";
import { playTrial, type Trial } from "./trial.js";
import { findVaried, isSound, mustRead, readWith, type Source, type Varied, type VaryRequest } from "./vary.js";

/** What a receiver has to do where nobody says it: what most people mean by "it holds". */
export const DEFAULT_PASS = "delivery.p99 < 500ms and lost == 0";

/** How a capacity is to be found out. Spans are wall milliseconds. */
export interface StudyOptions {
  readonly source: Source;
  /** URL; absent: the scenario's own. */
  readonly receiver?: string;
  /** One or more values, each varied by itself while the others stand as the scenario has them. */
  readonly vary: readonly VaryRequest[];
  /** What has to hold in a trial: `delivery.p99 < 500ms and lost == 0`. */
  readonly pass?: string;
  /** Trials of a level in one go at most; odd. Default 3. */
  readonly trials?: number;
  /** To how much on either side the knee is to be known, a share. Default 0.05. */
  readonly precision?: number;
  /** Later than this at the 99th percentile by our own doing, and a trial does not count. Default: a tenth of the shortest bound. */
  readonly lateMs?: number;
  /** The easiest value is played for so long before the first trial. Default 5,000. */
  readonly warmUpMs?: number;
  /** Rest between two trials, at least. Default 1,000. */
  readonly coolDownMs?: number;
  /** No trial begins after so long. Default: none. */
  readonly timeLimitMs?: number;
  /** Virtual milliseconds in each of the wall's. Default 1. */
  readonly speed?: number;
  readonly connections?: number;
  readonly allowHosts?: readonly string[];
  /** How long the receiver may take to come up. Default 0. */
  readonly waitMs?: number;
  /** Folder that keeps the trials' recordings; absent: they are not kept. */
  readonly keep?: string;
  readonly signal?: AbortSignal;
  readonly listener?: StudyListener;
}

/** Who is told how a study goes on. */
export interface StudyListener {
  /** A value begins to be varied. */
  begins(study: {
    readonly vary: string;
    readonly units: FieldUnits;
    readonly lastsMs: number;
    readonly speed: number;
  }): void;
  /** What is being done now; `progress` tells where a trial stands. */
  doing(what: { readonly text: string; readonly progress?: () => Progress }): void;
  ended(trial: Trial): void;
}

/** What was found out about one value. */
export interface StudyResult extends Capacity {
  readonly vary: string;
  /** In the units of the field. */
  readonly sentence: string;
  /** Each level's value as the scenario spells it, in the order of `levels`. */
  readonly spelled: readonly string[];
  /** In the order in which they were made. */
  readonly trials: readonly Trial[];
  readonly notes: readonly string[];
  readonly units: FieldUnits;
}

/** What a study came to. */
export interface Study {
  readonly name: string;
  readonly receiver: string;
  /** Events are sent when they are due, however slow the receiver is. */
  readonly model: "open";
  readonly speed: number;
  readonly pass: readonly string[];
  readonly confidence: number;
  readonly lateMs: number;
  readonly results: readonly StudyResult[];
}

/** At the 99th percentile, where no bound says how much matters. */
const LATE_MS = 50;
const LEAST_LATE_MS = 5;

/**
 * Finds out how much a receiver holds: plays a scenario again and again with another value in it, in the open model.
 *
 * @throws LabError `bad-options` for what cannot be varied, `no-receiver` when it is not there or does not come back after a
 *   trial, and as `runScenario`
 */
export async function studyCapacity(options: StudyOptions): Promise<Study> {
  const pass = passLines(options.pass ?? DEFAULT_PASS);
  if (pass.length === 0) throw new LabError("bad-options", "the condition to pass is empty");
  const source: Source = { ...options.source, set: [...options.source.set, `expect=${JSON.stringify(pass)}`] };
  const base = mustRead(source, []);
  const receiver = receiverOf(base, options.receiver);
  const varied = options.vary.map((request) => findVaried(request, source, base));
  const lateMs = options.lateMs ?? Math.max(LEAST_LATE_MS, Math.min(LATE_MS * 10, ...boundsMs(pass)) / 10);
  const recovery = new Recovery({
    url: receiver,
    headers: base.receiver?.headers ?? {},
    ...(base.receiver?.ca !== undefined && { ca: base.receiver.ca }),
    allowHosts: options.allowHosts ?? [],
    coolDownMs: options.coolDownMs ?? 1000,
    ...(options.signal !== undefined && { signal: options.signal }),
  });
  const folder = options.keep ?? mkdtempSync(join(tmpdir(), "handset-capacity-"));
  mkdirSync(folder, { recursive: true });
  try {
    const player = new Player({ ...options, source, pass, lateMs, receiver, folder, recovery });
    await recovery.begin(options.waitMs ?? 0);
    const results: StudyResult[] = [];
    for (const one of varied) results.push(await player.study(one, base));
    const { name } = base;
    return {
      name, receiver, model: "open", speed: options.speed ?? 1, pass, confidence: CONFIDENCE, lateMs, results,
    }; // prettier-ignore
  } finally {
    if (options.keep === undefined) rmSync(folder, { recursive: true, force: true });
  }
}

function receiverOf(scenario: Scenario, wanted: string | undefined): string {
  const url = wanted ?? scenario.receiver?.url;
  if (url !== undefined && /^https?:/i.test(url)) return url;
  throw new LabError("bad-options", "a capacity is that of a receiver of yours", {
    hint: "name it: --receiver http://127.0.0.1:8080/events",
  });
}

/** Of so many times more phones or people there must be so many times more attempts, or it will never break. */
const GROWTH = { times: 8, attempts: 1.2 };

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
  if (limitedBy === "trials")
    notes.push("the trials contradict each other: they were used up before it was known better");
  return notes;
}

interface PlayerOptions extends Omit<StudyOptions, "pass"> {
  readonly pass: readonly string[];
  readonly lateMs: number;
  readonly receiver: string;
  readonly folder: string;
  readonly recovery: Recovery;
}

/** Plays the trials of a study, one after the other. */
class Player {
  readonly #options: PlayerOptions;
  readonly #endsAt: number;
  #isWarm = false;
  #count = 0;

  constructor(options: PlayerOptions) {
    this.#options = options;
    this.#endsAt = performance.now() + (options.timeLimitMs ?? Infinity);
  }

  async study(varied: Varied, base: Scenario): Promise<StudyResult> {
    const { source, trials = 3, precision = 0.05, speed = 1, listener, signal } = this.#options;
    const { path, quantity, from, to, isFromGiven } = varied;
    const setting = (value: number): string => `${path}=${quantity.spell(value)}`;
    const scenarioAt = (value: number, seed?: number): Scenario => mustRead(source, [setting(value)], seed);
    const units = fieldUnits(quantity, { path, scenarioAt });
    listener?.begins({ vary: path, units, lastsMs: base.cast.lastsMs, speed });
    const played: Trial[] = [];
    const notes: string[] = [];
    if (!this.#isWarm) await this.#warmUp(scenarioAt(from));
    const trial = async (value: number): Promise<Verdict> => {
      // Another seed for each, or trials of a level would be one and the same.
      const scenario = scenarioAt(value, base.seed + played.length);
      const one = await this.#play(scenario, { value, text: `${units.amount(value)}`, label: `${path}-${value}` });
      played.push(one);
      checkGrowth(played, quantity.kind);
      listener?.ended(one);
      await this.#recover(units.amount(value), notes);
      return one.verdict;
    };
    const capacity = await searchCapacity(trial, {
      from,
      ...(to !== undefined && { to }),
      isFromEasiest: isFromGiven,
      trials,
      precision,
      round: quantity.round,
      isPossible: (value) => isSound(readWith(source, [setting(value)])),
      isOver: () => signal?.aborted === true || performance.now() >= this.#endsAt,
    });
    notes.push(...notesOn(capacity, units));
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

  /** What is slow at first on either side (compilers, caches, pools of connections) is to be over before it counts. */
  async #warmUp(scenario: Scenario): Promise<void> {
    this.#isWarm = true;
    const { warmUpMs = 5000, signal } = this.#options;
    if (warmUpMs <= 0) return;
    const over = new AbortController();
    const timer = setTimeout(() => over.abort(), warmUpMs);
    const signals = [over.signal, signal].filter((one) => one !== undefined);
    try {
      await this.#play(scenario, { value: 0, text: "warming up", label: "warm-up", signal: AbortSignal.any(signals) });
    } catch (error) {
      // Nothing may have been due in so short a time.
      if (!(error instanceof LabError) || error.code !== "bad-options") throw error;
    } finally {
      clearTimeout(timer);
    }
    await this.#recover("warming up", []);
  }

  #play(
    scenario: Scenario,
    what: { readonly value: number; readonly text: string; readonly label: string; readonly signal?: AbortSignal },
  ): Promise<Trial> {
    const { receiver, folder, keep, pass, lateMs, listener, speed = 1, connections, allowHosts = [] } = this.#options;
    const signal = what.signal ?? this.#options.signal;
    const name = `${String(++this.#count).padStart(3, "0")}-${what.label.replaceAll(/[^\w.-]+/g, "-")}.db`;
    const recording = join(folder, name);
    const played = playTrial(scenario, {
      value: what.value,
      pass,
      lateMs,
      isKept: keep !== undefined,
      run: {
        receiver,
        recording,
        pace: speed,
        allowHosts,
        ...(connections !== undefined && { connections }),
        ...(signal !== undefined && { signal }),
      },
      onStart: (progress) => listener?.doing({ text: what.text, progress }),
    });
    return played.finally(() => {
      if (keep === undefined) for (const end of ["", "-wal", "-shm"]) rmSync(recording + end, { force: true });
    });
  }

  async #recover(after: string, notes: string[]): Promise<void> {
    const { recovery, listener, signal } = this.#options;
    if (signal?.aborted === true) return;
    listener?.doing({ text: "waiting until the receiver has recovered" });
    if (!(await recovery.wait())) {
      notes.push(`after ${after} the receiver stayed slower than it was in calm; the next trial began all the same`);
    }
  }
}
