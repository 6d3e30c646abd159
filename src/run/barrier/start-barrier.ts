import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { LabError } from "../../base/index.js";
import type { CommonStart } from "../../report/index.js";
import type { Part } from "../../world/index.js";
import type { AllReadyOptions } from "../run-options.js";
import { type BegunMarker, begunFile, newMarker } from "./begun-marker.js";
import { type HeardPart, isOver, partsText, type PartStatus, readStatus } from "./part-status.js";
import { refuseOtherRun, type RunIdentity } from "./run-identity.js";
import { SharedFolder } from "./shared-folder.js";
import { BEAT_MS, StatusWriter } from "./status-writer.js";

/** Has the identity of the run. The part that creates it first owns the folder; parts of another run are refused. */
export const RUN_FILE = "run.json";
const START_FILE = "start.json";
const NOW_FILE = "now.json";

/** Time from the decision to the start: the other parts must read the decision. Wall milliseconds. */
const LEAD_MS = 2000;

/** Interval of reading while a part waits. Wall milliseconds. */
const POLL_MS = 100;

/** Shortest interval between two sentences about missing parts. Wall milliseconds. */
const SAY_MS = 2000;

/** Creating one phone takes 0.6 ms: the lead of `starts: now`, which is decided before phones are created. */
const PHONE_MS = 1;

const LIMIT_MS = 10 * 60_000;

/** The decision that all parts begin. It names their processes, so a file of an earlier start is recognised. */
interface StartDecision {
  readonly atMs: number;
  readonly processes: readonly string[];
}

/** What a part waits for. */
interface Awaited {
  /** The file of the decision. */
  readonly file: string;
  /** The state that all parts must have. */
  readonly state: "started" | "ready";
  /** Earliest instant that part 1 may decide, by the folder's clock. */
  readonly earliestMs: () => number;
}

/**
 * The start of the parts that share a folder: each part waits here until all are ready. Part 1 decides the instant and
 * writes it; the others read it.
 */
export class StartBarrier {
  readonly folder: SharedFolder;
  /** The status of this part, from its start to its end. */
  readonly status: StatusWriter;
  readonly #part: Part;
  readonly #options: AllReadyOptions;
  readonly #identity: RunIdentity;
  readonly #recording: string | null;
  /** The instant that `starts: now` means; the parts do not begin before it. */
  #nowMs = 0;

  private constructor(
    folder: SharedFolder,
    given: {
      readonly part: Part;
      readonly identity: RunIdentity;
      readonly recording: string | null;
      readonly options: AllReadyOptions;
    },
  ) {
    this.folder = folder;
    this.status = new StatusWriter(folder, given.part, given.recording);
    this.#part = given.part;
    this.#identity = given.identity;
    this.#recording = given.recording;
    this.#options = given.options;
  }

  /**
   * Joins the parts in a folder.
   *
   * @throws LabError `bad-options` if the folder is of another run, `not-written`
   */
  static join(given: {
    readonly part: Part;
    readonly identity: RunIdentity;
    readonly recording: string | null;
    readonly options: AllReadyOptions;
  }): StartBarrier {
    const barrier = new StartBarrier(SharedFolder.create(given.options.folder), given);
    const { folder } = barrier;
    const { process: name } = barrier.status;
    folder.measureClock(`clock-${given.part.index}.${name}`);
    refuseOtherRun(folder.path, given.identity, folder.createOrRead(RUN_FILE, given.identity, name));
    return barrier;
  }

  /** A resumed part in the folder of its start; undefined: the folder is gone. */
  static rejoin(given: {
    readonly part: Part;
    readonly identity: RunIdentity;
    readonly recording: string;
    readonly folder: string;
  }): StartBarrier | undefined {
    const folder = SharedFolder.open(given.folder);
    return folder && new StartBarrier(folder, { ...given, options: { folder: given.folder } });
  }

  /**
   * Waits until an earlier process of this part is certainly gone. From then on this process writes the part's status.
   *
   * @throws LabError `part-taken` if it lives, `not-started` if the signal aborts
   */
  async takePart(signal: AbortSignal): Promise<void> {
    let earlier = readStatus(this.folder, this.#part.index);
    const first = earlier?.status;
    while (earlier !== undefined && !this.#isGone(earlier)) {
      if (earlier.status.writtenMs !== first?.writtenMs) this.#refuseTaken(earlier.status);
      this.#options.onWait?.(
        `part ${this.#part.index} was started before (process ${earlier.status.pid} on ${earlier.status.host}): ` +
          "waiting until it is certainly gone",
      );
      await this.#sleep(BEAT_MS, signal);
      earlier = readStatus(this.folder, this.#part.index);
    }
    this.status.write();
  }

  /** The instant that `starts: now` means for all parts: soon after all of them have been started. */
  async commonNow(handsets: number, signal: AbortSignal): Promise<number> {
    const earliestMs = (): number => this.folder.clock.nowMs() + LEAD_MS + handsets * PHONE_MS;
    const { atMs } = await this.#wait({ file: NOW_FILE, state: "started", earliestMs }, signal);
    this.#nowMs = atMs;
    return atMs;
  }

  /** Waits until all parts are ready, and then until their common start. @throws LabError `parts-missing`, `not-started` */
  async whenAllReady(signal: AbortSignal): Promise<CommonStart> {
    this.status.write("ready");
    const readyAt = performance.now();
    const decision = await this.#wait({ file: START_FILE, state: "ready", earliestMs: () => this.#nowMs }, signal);
    const { clock, path } = this.folder;
    for (;;) {
      const leftMs = decision.atMs - clock.nowMs();
      if (leftMs <= 0) break;
      await this.#sleep(Math.min(leftMs, BEAT_MS / 2), signal);
      this.status.beat();
    }
    const { offsetMs = 0, uncertaintyMs = 0 } = clock.offset() ?? {};
    this.#options.onWait?.("");
    return {
      folder: path,
      atMs: Math.round(decision.atMs),
      clockOffsetMs: offsetMs,
      clockUncertaintyMs: uncertaintyMs,
      waitedMs: Math.round(performance.now() - readyAt),
      lateMs: Math.max(0, Math.round(clock.nowMs() - decision.atMs)),
    };
  }

  /** Records that the part begins now. The file is on disk when this returns. */
  markBegun(): void {
    const marker: BegunMarker = newMarker(this.#part, this.#identity, this.#recording);
    this.folder.write(begunFile(this.#part.index), marker);
  }

  #isGone({ status, isLost }: HeardPart): boolean {
    const { state, host, pid, process: name } = status;
    if (name === this.status.process || isLost || isOver(state)) return true;
    return host === hostname() && (pid === process.pid || !isAlive(pid));
  }

  #refuseTaken({ pid, host }: PartStatus): never {
    const { index, count } = this.#part;
    throw new LabError("part-taken", `part ${index} of ${count} is played by process ${pid} on ${host}`, {
      hint: "start each part once: two tasks have this number",
    });
  }

  /** The decision in a file, if it names this process. */
  #decisionIn({ file }: Awaited): StartDecision | undefined {
    const found = this.folder.read<StartDecision>(file)?.value;
    if (found === undefined || found.processes[this.#part.index - 1] === this.status.process) return found;
    // A file of an earlier start, unless the others have begun by it: then this part is late.
    return this.#someBegan() ? found : undefined;
  }

  /** The parts that are missing; if none is, part 1 decides. */
  #missingFor({ file, state, earliestMs }: Awaited): readonly number[] {
    const { index, count } = this.#part;
    const heard = Array.from({ length: count }, (_, place) => readStatus(this.folder, place + 1));
    const missing = heard.flatMap((one, place) => (isPresent(one, state) ? [] : [place + 1]));
    if (missing.length > 0 || index !== 1) return missing;
    const decision: StartDecision = {
      atMs: Math.round(Math.max(this.folder.clock.nowMs() + LEAD_MS, earliestMs())),
      processes: heard.map((one) => one?.status.process ?? ""),
    };
    this.folder.write(file, decision);
    return missing;
  }

  #someBegan(): boolean {
    return [...this.folder.names()].some((name) => /^begun-\d+\.json$/.test(name));
  }

  /** Reads the folder until there is a decision. */
  async #wait(awaited: Awaited, signal: AbortSignal): Promise<StartDecision> {
    const { state } = awaited;
    const { index, count } = this.#part;
    const limitMs = this.#options.limitMs ?? LIMIT_MS;
    const beganAt = performance.now();
    // A shared folder answers some thousand reads a second, for all parts. Only part 1 must know soon that all are there.
    const everyMs = index === 1 ? 2 * count : Math.max(BEAT_MS, 100 * count);
    let readAt = -Infinity;
    let said = "";
    let saidAt = -Infinity;
    this.status.write();
    for (;;) {
      const decision = this.#decisionIn(awaited);
      if (decision !== undefined) return decision;
      const now = performance.now();
      const isOver = now - beganAt > limitMs;
      if (isOver || now - readAt >= everyMs) {
        readAt = now;
        const missing = this.#missingFor(awaited);
        if (isOver) this.#refuseMissing(missing, { state, limitMs });
        const text = this.#waitText(missing, state);
        if (text !== said && now - saidAt >= SAY_MS) {
          this.#options.onWait?.(text);
          said = text;
          saidAt = now;
        }
      }
      await this.#sleep(POLL_MS, signal);
      this.status.beat();
    }
  }

  #waitText(missing: readonly number[], state: "started" | "ready"): string {
    if (missing.length === 0) return `all ${this.#part.count} parts are ${state}`;
    return `waiting until ${partsText(missing)} of ${this.#part.count} ${missing.length === 1 ? "is" : "are"} ${state}`;
  }

  #refuseMissing(
    missing: readonly number[],
    { state, limitMs }: { readonly state: string; readonly limitMs: number },
  ): never {
    this.status.leave();
    const { count } = this.#part;
    const seconds = Math.round(limitMs / 1000);
    const which = missing.length === 0 ? [1] : missing;
    throw new LabError(
      "parts-missing",
      `${partsText(which)} of ${count} ${which.length === 1 ? "was" : "were"} not ${state} within ${seconds} s` +
        this.#reasons(which),
      { hint: "all parts must run at once; --ready-within 1h waits longer. This part has sent nothing" },
    );
  }

  /** What is known about missing parts, at most five. */
  #reasons(missing: readonly number[]): string {
    const known = missing.flatMap((part) => {
      const heard = readStatus(this.folder, part);
      if (heard === undefined) return [];
      const { status, ageMs } = heard;
      const why =
        status.error === undefined ? `${status.state}, silent for ${Math.round(ageMs / 1000)} s` : status.error;
      return [`\n  part ${part} on ${status.host}: ${why}`];
    });
    return known.length === 0 ? "" : `:${known.slice(0, 5).join("")}`;
  }

  async #sleep(ms: number, signal: AbortSignal): Promise<void> {
    await sleep(ms, undefined, { signal }).catch(() => undefined);
    if (!signal.aborted) return;
    this.status.leave();
    throw new LabError("not-started", "stopped while waiting for the other parts; nothing was sent");
  }
}

function isPresent(heard: HeardPart | undefined, wanted: "started" | "ready"): boolean {
  if (heard === undefined || heard.isLost) return false;
  const { state } = heard.status;
  return state === "ready" || (wanted === "started" && state === "starting");
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
