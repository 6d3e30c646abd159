import { type ChildProcess, fork } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, rmdirSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { LabError } from "../base/index.js";
import { joinedReading, type Progress } from "../lab/index.js";
import type { RunResult } from "../report/index.js";
import { recordingPath, type RunOptions, type RunOutcome, type RunStart } from "../run/index.js";
import type { Scenario } from "../scenario/index.js";
import { StoreError } from "../store/index.js";
import { mergeRecordings } from "./merge.js";
import type { FromPart, PartFailure, PartOptions, ToPart } from "./part-messages.js";

/** How a fleet is played in several processes of this machine: as a run, and… */
export interface ProcessesOptions extends PartOptions, Pick<RunOptions, "signal" | "onStart"> {
  /** How many, 2 to 256. */
  readonly processes: number;
}

/** More than machines have cores. */
const mostProcesses = 256;

/** So much of what a process has written on stderr is told when it fails. Characters. */
const LAST_WORDS = 4000;

/**
 * Plays a scenario in several processes, a part of the fleet each, and joins their recordings into one. They begin at
 * the same instant, when all are ready.
 *
 * @throws LabError `bad-options`, `crosses-parts`…, and `part-failed` when a process ends before its part has: the others
 *   are stopped, and the recordings of all parts stay where the hint says; StoreError
 */
export async function runInProcesses(given: Scenario, options: ProcessesOptions): Promise<RunOutcome> {
  const { processes, signal, onStart, recording: wanted, overwrite = false, ...rest } = options;
  if (!(Number.isSafeInteger(processes) && processes >= 1 && processes <= mostProcesses)) {
    throw new LabError("bad-options", `a fleet is played in 1..${mostProcesses} processes, got ${processes}`);
  }
  const path = recordingPath(given, wanted);
  if (path === ":memory:") throw new LabError("bad-options", "several processes need a file to record to");
  if (!overwrite && existsSync(path)) {
    throw new LabError("bad-options", `the recording ${path} exists already`, {
      hint: "choose another path, or allow it to be overwritten",
    });
  }
  const folder = `${path}.parts`;
  mkdirSync(dirname(resolve(path)), { recursive: true });
  mkdirSync(folder, { recursive: true });
  // So that `now` is the same instant for all.
  const { startAtMs = given.cast.startsAtMs } = rest;
  const scenario = given.startsNow
    ? { ...given, startsNow: false, cast: { ...given.cast, startsAtMs: startAtMs } }
    : given;
  const paths = Array.from({ length: processes }, (_, index) => join(folder, `${index + 1}.db`));
  const troupe = new Troupe(scenario, { parts: paths, recording: path, options: rest, onStart });
  let outcomes: Awaited<ReturnType<Troupe["play"]>>;
  try {
    outcomes = await troupe.play(signal);
  } catch (error) {
    // What a part had recorded when it was cut off may be all that somebody has; of a run that was refused there is nothing.
    if (error instanceof LabError && error.code !== "part-failed") discard(folder, paths);
    throw error;
  }
  const { result, exitCode } = mergeRecordings(paths, { output: path, overwrite });
  discard(folder, paths);
  const worst = Math.max(exitCode, ...outcomes.map((outcome) => outcome.exitCode)) as RunOutcome["exitCode"];
  return { result, exitCode: worst };
}

/** Takes the parts' recordings away, and their folder where nothing else is in it. */
function discard(folder: string, paths: readonly string[]): void {
  for (const path of paths) for (const suffix of ["", "-wal", "-shm"]) rmSync(path + suffix, { force: true });
  if (readdirSync(folder).length === 0) rmdirSync(folder);
}

/** One process and what is known of it. */
interface Member {
  readonly child: ChildProcess;
  readonly name: string;
  isReady: boolean;
  started: Extract<FromPart, { kind: "started" }> | undefined;
  progress: Progress | undefined;
  outcome: { readonly result: RunResult; readonly exitCode: 0 | 1 | 3 } | undefined;
  failure: PartFailure | undefined;
  lastWords: string;
}

/** The processes of one run. */
class Troupe {
  readonly #members: readonly Member[];
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
    this.#members = parts.map((_, index) => ({
      child: fork(fileURLToPath(new URL("./part-process.js", import.meta.url)), {
        serialization: "advanced",
        stdio: ["ignore", "ignore", "pipe", "ipc"],
      }),
      name: `part ${index + 1} of ${count}`,
      isReady: false,
      started: undefined,
      progress: undefined,
      outcome: undefined,
      failure: undefined,
      lastWords: "",
    }));
    this.#ends = this.#members.map((member) => this.#follow(member));
    this.#members.forEach((member, index) => {
      const shard = { index: index + 1, count };
      say(member, {
        kind: "play",
        scenario,
        options: { ...options, recording: parts[index] as string, overwrite: true, shard },
      });
    });
  }

  /** Resolves when all have ended, and all have played their parts to the end. */
  async play(signal: AbortSignal | undefined): Promise<readonly { readonly exitCode: 0 | 1 | 3 }[]> {
    const stop = (): void => this.#stop();
    signal?.addEventListener("abort", stop, { once: true });
    if (signal?.aborted === true) stop();
    try {
      await Promise.all(this.#ends);
    } finally {
      signal?.removeEventListener("abort", stop);
    }
    return this.#members.map((member) => {
      if (member.outcome === undefined) throw new Error(`${member.name} is without an outcome`);
      return member.outcome;
    });
  }

  /** Listens to a process until it has ended. @throws what it failed with */
  #follow(member: Member): Promise<void> {
    const { child } = member;
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      member.lastWords = (member.lastWords + text).slice(-LAST_WORDS);
    });
    child.on("message", (message) => this.#heard(member, message as FromPart));
    return new Promise((end, fail) => {
      child.once("error", fail);
      // Not `exit`: what it has said on stderr is to be read first.
      child.once("close", (code, signal) => {
        if (member.outcome !== undefined) return end();
        this.#stop();
        // The others write down what they have before anybody hears of this.
        const how = signal === null ? `exit ${code}` : signal;
        const error = errorOf(member, how, this.#folder);
        void this.#othersThan(member).then(() => fail(error));
      });
    });
  }

  async #othersThan(member: Member): Promise<void> {
    const others = this.#members.filter((one) => one !== member && isAlive(one));
    await Promise.all(others.map(({ child }) => new Promise((end) => child.once("close", end))));
  }

  #heard(member: Member, message: FromPart): void {
    switch (message.kind) {
      case "started":
        member.started = message;
        if (this.#members.every(({ started }) => started !== undefined)) this.#started();
        return;
      case "ready":
        member.isReady = true;
        if (this.#members.every(({ isReady }) => isReady)) for (const one of this.#members) say(one, { kind: "go" });
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

  #started(): void {
    const { receiver = "none", isBundled = false } = this.#members[0]?.started ?? {};
    const start: RunStart = { receiver, isBundled, recording: this.#recording, progress: () => this.#progress() };
    this.#onStart?.(start);
  }

  /** Where the run stands: the instant is that of the part which is furthest behind. */
  #progress(): Progress {
    const told = this.#members.flatMap(({ progress }) => progress ?? []);
    const sum = (of: (progress: Progress) => number): number => told.reduce((total, one) => total + of(one), 0);
    const gauges = told.flatMap(({ gauge }) => gauge ?? []);
    return {
      atMs: told.length === 0 ? 0 : Math.min(...told.map(({ atMs }) => atMs)),
      lastsMs: Math.max(1, ...told.map(({ lastsMs }) => lastsMs)),
      steps: sum(({ steps }) => steps),
      events: sum(({ events }) => events),
      accepted: sum(({ accepted }) => accepted),
      failures: sum(({ failures }) => failures),
      inFlight: sum(({ inFlight }) => inFlight),
      retrying: sum(({ retrying }) => retrying),
      waitingOnPhones: sum(({ waitingOnPhones }) => waitingOnPhones),
      traffic: told[0]?.traffic ?? { times: 1, state: "running" },
      ...(gauges.length > 0 && { gauge: joinedReading(gauges) }),
    };
  }

  #stop(): void {
    if (this.#isStopping) return;
    this.#isStopping = true;
    for (const member of this.#members) say(member, { kind: "stop" });
  }
}

function isAlive({ child }: Member): boolean {
  return child.exitCode === null && child.signalCode === null;
}

/** What is said to somebody who has just gone is lost; that it has gone is noticed anyway. */
function say({ child }: Member, message: ToPart): void {
  if (child.connected) child.send(message, () => undefined);
}

function errorOf({ failure, name, lastWords }: Member, how: string, folder: string): Error {
  if (failure?.kind === "lab") return new LabError(failure.code, failure.message, withHint(failure.hint));
  if (failure?.kind === "store") return new StoreError(failure.code, failure.path, failure.message);
  if (failure?.kind === "other") return new Error(`${name} failed: ${failure.text}`);
  const words = lastWords.trim() === "" ? "" : `; it said:\n  ${lastWords.trimEnd().replaceAll("\n", "\n  ")}`;
  return new LabError("part-failed", `the process of ${name} ended (${how}) before its part had${words}`, {
    hint: `the other parts were stopped; what all of them have recorded is in ${folder}`,
  });
}

function withHint(hint: string | undefined): { hint?: string } {
  return hint === undefined ? {} : { hint };
}
