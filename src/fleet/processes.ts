import { type ChildProcess, fork } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, rmdirSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { bundledModule, LabError } from "../base/index.js";
import { joinedReading, type Progress } from "../lab/index.js";
import type { RunResult } from "../report/index.js";
import { markerBeside, recordingPath, type RunOptions, type RunOutcome, type RunStart } from "../run/index.js";
import type { Scenario } from "../scenario/index.js";
import { StoreError } from "../store/index.js";
import { mergeRecordings } from "./merge.js";
import type { MessageFromPart, PartFailure, PartOptions, MessageToPart } from "./part-messages.js";

/** Options of a run in several processes of this machine. */
export interface ProcessesOptions extends PartOptions, Pick<RunOptions, "signal" | "onStart" | "onProgress"> {
  /** Number of processes, 1 to 256. */
  readonly processes: number;
}

/** Upper bound of processes: more than the cores of usual machines. */
const MAX_PROCESSES = 256;

/** How much of a process's stderr is kept for its error message, in characters. */
const STDERR_TAIL = 4000;

/**
 * Plays a scenario in several processes, one part of the fleet in each, and joins their recordings. All begin at the
 * same instant, when all are ready.
 *
 * @throws LabError `bad-options`, `crosses-parts`…, and `part-failed` if a process ends before its part does: the
 *   others are stopped, and the recordings stay in the folder that the hint names; StoreError
 */
export async function runInProcesses(given: Scenario, options: ProcessesOptions): Promise<RunOutcome> {
  const { processes, signal, onStart, onProgress, recording: wanted, overwrite = false, ...rest } = options;
  if (!(Number.isSafeInteger(processes) && processes >= 1 && processes <= MAX_PROCESSES)) {
    throw new LabError("bad-options", `a fleet is played in 1..${MAX_PROCESSES} processes, got ${processes}`);
  }
  const path = recordingPath(given, wanted);
  if (path === ":memory:" || path === "none") {
    throw new LabError("bad-options", `several processes need a file to record to, got '${path}'`, {
      hint: "name one with --recording FILE",
    });
  }
  if (!overwrite && existsSync(path)) {
    throw new LabError("bad-options", `the recording ${path} exists already`, {
      hint: "choose another path, or allow it to be overwritten",
    });
  }
  const folder = `${path}.parts`;
  mkdirSync(dirname(resolve(path)), { recursive: true });
  mkdirSync(folder, { recursive: true });
  // All parts get the same instant for `starts: now`.
  const { startAtMs = given.cast.startsAtMs } = rest;
  const scenario = given.startsNow
    ? { ...given, startsNow: false, cast: { ...given.cast, startsAtMs: startAtMs } }
    : given;
  const paths = Array.from({ length: processes }, (_, index) => join(folder, `${index + 1}.db`));
  const partProcesses = new PartProcesses(scenario, { parts: paths, recording: path, options: rest, onStart });
  let outcomes: Awaited<ReturnType<PartProcesses["play"]>>;
  try {
    outcomes = await partProcesses.play(signal);
  } catch (error) {
    // After `part-failed` the recordings of the parts may be all that is left, so they stay. A refused run recorded
    // nothing.
    if (error instanceof LabError && error.code !== "part-failed") removeParts(folder, paths);
    throw error;
  }
  const { result, exitCode } = mergeRecordings(paths, { output: path, overwrite, onProgress });
  removeParts(folder, paths);
  // The joined result decides about 3: a receiver that never answered one part may have answered another.
  const codes = outcomes.map((outcome) => outcome.exitCode).filter((code) => code !== 3);
  return { result, exitCode: Math.max(exitCode, ...codes) as RunOutcome["exitCode"] };
}

/** Deletes the parts' recordings, and their folder if it is empty. */
function removeParts(folder: string, paths: readonly string[]): void {
  for (const path of paths)
    for (const file of [path, `${path}-wal`, `${path}-shm`, markerBeside(path)]) rmSync(file, { force: true });
  if (readdirSync(folder).length === 0) rmdirSync(folder);
}

/** One process and its state. */
interface PartProcess {
  readonly child: ChildProcess;
  readonly name: string;
  isReady: boolean;
  started: Extract<MessageFromPart, { kind: "started" }> | undefined;
  progress: Progress | undefined;
  outcome: { readonly result: RunResult; readonly exitCode: 0 | 1 | 3 } | undefined;
  failure: PartFailure | undefined;
  stderrTail: string;
}

/** The processes of one run, one for each part. */
class PartProcesses {
  readonly #processes: readonly PartProcess[];
  readonly #folder: string;
  readonly #recording: string;
  readonly #onStart: RunOptions["onStart"];
  readonly #ends: readonly Promise<void>[];
  #isStopping = false;

  constructor(
    scenario: Scenario,
    {
      parts,
      recording,
      options,
      onStart,
    }: {
      readonly parts: readonly string[];
      readonly recording: string;
      readonly options: PartOptions;
      readonly onStart: RunOptions["onStart"];
    },
  ) {
    this.#onStart = onStart;
    this.#recording = recording;
    this.#folder = dirname(parts[0] as string);
    const count = parts.length;
    this.#processes = parts.map((_, index) => ({
      child: fork(bundledModule("fleet/part-process.js"), {
        serialization: "advanced",
        stdio: ["ignore", "ignore", "pipe", "ipc"],
      }),
      name: `part ${index + 1} of ${count}`,
      isReady: false,
      started: undefined,
      progress: undefined,
      outcome: undefined,
      failure: undefined,
      stderrTail: "",
    }));
    this.#ends = this.#processes.map((member) => this.#awaitEnd(member));
    const fleet = this.#processes.flatMap(({ child }) => child.pid ?? []);
    this.#processes.forEach((member, index) => {
      const shard = { index: index + 1, count };
      sendToPart(member, {
        kind: "play",
        scenario,
        options: { ...options, recording: parts[index] as string, overwrite: true, shard, fleet },
      });
    });
  }

  /** Resolves when all processes have ended with an outcome. */
  async play(signal: AbortSignal | undefined): Promise<readonly { readonly exitCode: 0 | 1 | 3 }[]> {
    const stop = (): void => this.#stop();
    signal?.addEventListener("abort", stop, { once: true });
    if (signal?.aborted === true) stop();
    try {
      await Promise.all(this.#ends);
    } finally {
      signal?.removeEventListener("abort", stop);
    }
    return this.#processes.map((member) => {
      if (member.outcome === undefined) throw new Error(`${member.name} has no outcome`);
      return member.outcome;
    });
  }

  /** Handles the messages of a process until it has ended. @throws the error of its part */
  #awaitEnd(member: PartProcess): Promise<void> {
    const { child } = member;
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      member.stderrTail = (member.stderrTail + text).slice(-STDERR_TAIL);
    });
    child.on("message", (message) => this.#onMessage(member, message as MessageFromPart));
    return new Promise((end, fail) => {
      child.once("error", fail);
      // `close`, not `exit`: stderr is read completely first.
      child.once("close", (code, signal) => {
        if (member.outcome !== undefined) return end();
        this.#stop();
        // The others finish their recordings before the error is thrown.
        const how = signal === null ? `exit ${code}` : signal;
        const error = errorOf(member, how, this.#folder);
        void this.#endOfOthers(member).then(() => fail(error));
      });
    });
  }

  async #endOfOthers(member: PartProcess): Promise<void> {
    const others = this.#processes.filter((one) => one !== member && isAlive(one));
    await Promise.all(others.map(({ child }) => new Promise((end) => child.once("close", end))));
  }

  #onMessage(member: PartProcess, message: MessageFromPart): void {
    switch (message.kind) {
      case "started":
        member.started = message;
        if (this.#processes.every(({ started }) => started !== undefined)) this.#reportStart();
        return;
      case "ready":
        member.isReady = true;
        if (this.#processes.every(({ isReady }) => isReady))
          for (const one of this.#processes) sendToPart(one, { kind: "go" });
        return;
      case "progress":
        member.progress = message.progress;
        return;
      case "done":
        member.outcome = message;
        member.progress = undefined;
        return;
      case "failed":
        member.failure = message.failure;
        return;
      default:
        message satisfies never;
    }
  }

  #reportStart(): void {
    const { receiver = "none", isBundled = false } = this.#processes[0]?.started ?? {};
    const start: RunStart = { receiver, isBundled, recording: this.#recording, progress: () => this.#progress() };
    this.#onStart?.(start);
  }

  /** The progress of the parts that still play; its time is the slowest part's. */
  #progress(): Progress {
    const known = this.#processes.flatMap(({ progress }) => progress ?? []);
    const sum = (of: (progress: Progress) => number): number => known.reduce((total, one) => total + of(one), 0);
    const gauges = known.flatMap(({ gauge }) => gauge ?? []);
    return {
      atMs: known.length === 0 ? 0 : Math.min(...known.map(({ atMs }) => atMs)),
      lastsMs: Math.max(1, ...known.map(({ lastsMs }) => lastsMs)),
      steps: sum(({ steps }) => steps),
      events: sum(({ events }) => events),
      accepted: sum(({ accepted }) => accepted),
      failures: sum(({ failures }) => failures),
      inFlight: sum(({ inFlight }) => inFlight),
      retrying: sum(({ retrying }) => retrying),
      waitingOnPhones: sum(({ waitingOnPhones }) => waitingOnPhones),
      traffic: known[0]?.traffic ?? { times: 1, state: "running" },
      ...(gauges.length > 0 && { gauge: joinedReading(gauges) }),
    };
  }

  #stop(): void {
    if (this.#isStopping) return;
    this.#isStopping = true;
    for (const member of this.#processes) sendToPart(member, { kind: "stop" });
  }
}

function isAlive({ child }: PartProcess): boolean {
  return child.exitCode === null && child.signalCode === null;
}

/** Sends a message; a message to a process that has just ended is lost, and `close` reports the end. */
function sendToPart({ child }: PartProcess, message: MessageToPart): void {
  if (child.connected) child.send(message, () => undefined);
}

function errorOf({ failure, name, stderrTail }: PartProcess, how: string, folder: string): Error {
  if (failure?.kind === "lab") return new LabError(failure.code, failure.message, withHint(failure.hint));
  if (failure?.kind === "store") return new StoreError(failure.code, failure.path, failure.message);
  if (failure?.kind === "other") return new Error(`${name} failed: ${failure.text}`);
  const words = stderrTail.trim() === "" ? "" : `; its stderr:\n  ${stderrTail.trimEnd().replaceAll("\n", "\n  ")}`;
  return new LabError("part-failed", `the process of ${name} ended (${how}) before its part had${words}`, {
    hint: `the other parts were stopped; what all of them have recorded is in ${folder}`,
  });
}

function withHint(hint: string | undefined): { hint?: string } {
  return hint === undefined ? {} : { hint };
}
