import { Latency, type PackedLatency } from "../../measure/index.js";
import type { ReadFile, SharedFolder } from "./shared-folder.js";

/**
 * `starting`: creates its phones; `ready`: waits for the others; `ending`: computes its result; `failed`: could not
 * play; `stopped`: by a signal, and can be resumed.
 */
export type PartState = "starting" | "ready" | "playing" | "ending" | "ended" | "failed" | "stopped";

/** Whether the process of a part in this state writes no status any more. */
export function isOver(state: PartState): boolean {
  return state === "ended" || state === "failed" || state === "stopped";
}

/** A histogram in JSON: alternating index and count. */
export interface StoredLatency extends Omit<PackedLatency, "pairs"> {
  readonly pairs: readonly number[];
}

/** The load of a part that plays. Rates are per wall second. */
export interface PartLoad {
  readonly atMs: number;
  readonly lastsMs: number;
  readonly events: number;
  readonly accepted: number;
  readonly failures: number;
  readonly inFlight: number;
  readonly retrying: number;
  readonly waitingOnPhones: number;
  /** Attempts that came due per second; null: the clock waits for the receiver, so nothing is due at an instant. */
  readonly due: number | null;
  readonly answered: number;
  /** Seconds that the histograms cover; null: the whole run so far. */
  readonly seconds: number | null;
  readonly delivery: StoredLatency;
  /** How late the part itself sent; null as in `due`. */
  readonly lateness: StoredLatency | null;
}

/** What a part writes into the shared folder about itself, every second. */
export interface PartStatus {
  readonly part: number;
  readonly count: number;
  /** A random name of the process. */
  readonly process: string;
  readonly host: string;
  readonly pid: number;
  readonly state: PartState;
  /** By the part's own clock. */
  readonly writtenMs: number;
  /** How far the folder's clock is ahead of the part's. */
  readonly offsetMs: number | null;
  readonly uncertaintyMs: number | null;
  /** Absolute path on the part's machine; null: nothing is recorded. */
  readonly recording: string | null;
  readonly load?: PartLoad;
  readonly exitCode?: number;
  readonly digest?: string;
  /** Size of the finished recording. */
  readonly bytes?: number;
  /** Why the part failed or was stopped. */
  readonly error?: string;
}

/** How long a part may be silent in each state: creating phones and computing a result block its event loop. */
const SILENCE_MS: Readonly<Record<PartState, number>> = {
  starting: 5 * 60_000,
  ready: 15_000,
  playing: 30_000,
  ending: 30 * 60_000,
  ended: Infinity,
  failed: Infinity,
  stopped: Infinity,
};

export function statusFile(part: number): string {
  return `status-${part}.json`;
}

/** The status of a part and its age; undefined: there is none. */
export interface HeardPart {
  readonly status: PartStatus;
  /** Milliseconds since the status was written, by the folder's clock. */
  readonly ageMs: number;
  /** Whether the part has been silent for longer than its state allows. */
  readonly isLost: boolean;
}

export function readStatus(folder: SharedFolder, part: number): HeardPart | undefined {
  const read: ReadFile<PartStatus> | undefined = folder.read<PartStatus>(statusFile(part));
  if (read === undefined) return undefined;
  const ageMs = Math.max(0, folder.clock.nowMs() - read.stampMs);
  return { status: read.value, ageMs, isLost: ageMs > SILENCE_MS[read.value.state] };
}

/** The histogram in plain JSON. */
export function storedLatency(latency: Latency): StoredLatency {
  const { pairs, ...sums } = latency.pack();
  // JSON has no Infinity.
  return { ...sums, minMs: sums.count === 0 ? 0 : sums.minMs, pairs: [...pairs] };
}

/** Adds histograms of several parts: their percentiles cannot be averaged. */
export function joinedLatency(all: readonly StoredLatency[]): Latency {
  const sum = new Latency();
  for (const one of all) if (one.count > 0) sum.addPacked({ ...one, pairs: Uint32Array.from(one.pairs) });
  return sum;
}

/** `part 3`, or `parts 1, 4–6`, and at most 20 numbers. */
export function partsText(parts: readonly number[]): string {
  const ranges: string[] = [];
  for (let at = 0; at < parts.length;) {
    const first = parts[at] ?? 0;
    let length = 1;
    while (parts[at + length] === first + length) length++;
    if (length === 1) ranges.push(String(first));
    else if (length === 2) ranges.push(String(first), String(first + 1));
    else ranges.push(`${first}–${first + length - 1}`);
    at += length;
  }
  const shown = ranges.slice(0, 12).join(", ") + (ranges.length > 12 ? "…" : "");
  return `${parts.length === 1 ? "part" : "parts"} ${shown}`;
}
