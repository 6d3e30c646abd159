import { onTestFinished } from "vitest";
import type { HostSecond } from "../../src/measure/index.js";
import { resultOf, type RunResult } from "../../src/report/index.js";
import { Recording, type RecordingReader } from "../../src/store/index.js";
import { attemptRow, channelRow, eventRow, meta } from "../store/samples.js";

/** One attempt at a separate event, as planned by a test. */
export interface Planned {
  /** Due time: wall milliseconds since the begin of a paced run at 1x. */
  readonly dueMs: number;
  /** From the request to the answer. */
  readonly serviceMs: number;
  /** Default 0. */
  readonly latenessMs?: number;
  /** The wait for a connection, after the lateness. Default 0. */
  readonly waitsMs?: number;
  /** Default 200. */
  readonly status?: number;
  /** Default `mo_sms`. */
  readonly type?: string;
}

/**
 * A recording written directly by the store, without a run, so that a test controls all times.
 *
 * @param options - `ends`: changes to the result computed from the tables; null: the run was killed; `host`: wall
 *   seconds in which other programs used the machine
 */
export function writtenRun(
  planned: readonly Planned[],
  {
    pace = "1x",
    ends = {},
    url = "http://127.0.0.1:1/",
    host = [],
  }: {
    readonly pace?: string;
    readonly ends?: Partial<RunResult> | null;
    readonly url?: string;
    readonly host?: readonly HostSecond[];
  } = {},
): RecordingReader {
  const recording = Recording.create(":memory:", { ...meta, options: { pace, receiver: url } });
  onTestFinished(() => recording.close());
  recording.channel(channelRow({ url }));
  const isPaced = pace !== "lockstep" && pace !== "max";
  planned.forEach(({ dueMs, serviceMs, latenessMs = 0, waitsMs = 0, status = 200, type = "mo_sms" }, index) => {
    const number = index + 1;
    const atMs = Math.floor(dueMs);
    recording.event(eventRow({ row: number, number, atMs, type, body: `event=${type}&n=${number}` }));
    recording.attempt(
      attemptRow({
        number,
        dueAtMs: atMs,
        effectAtMs: atMs,
        sentWallMs: dueMs + latenessMs + waitsMs,
        durationMs: serviceMs,
        latencyMs: isPaced ? latenessMs + waitsMs + serviceMs : serviceMs,
        latenessMs: isPaced ? latenessMs : null,
        status,
        outcome: status === 200 ? "accepted" : "refused",
      }),
    );
  });
  for (const second of host) recording.hostSecond(second);
  recording.flush();
  if (ends !== null) {
    const { isUnfinished: _, ...result } = resultOf(recording.reader());
    const resultJson = JSON.stringify({ ...result, problems: [], ...ends });
    recording.finish({ digest: result.digest, resultJson, endedWallMs: meta.startedWallMs + 60_000 });
  }
  return recording.reader();
}

/** Events a second apart with fast answers. */
export function steady(count: number, changes: Partial<Planned> = {}): Planned[] {
  return Array.from({ length: count }, (_, index) => ({ dueMs: 1000 * index, serviceMs: 5, ...changes }));
}

/** Events at a steady rate at a receiver with one worker, over a pool of connections. */
export function saturated(
  lastsMs: number,
  {
    perSecond,
    eachMs,
    connections,
  }: { readonly perSecond: number; readonly eachMs: number; readonly connections: number },
): Planned[] {
  const seats = Array.from({ length: connections }, () => 0);
  let freeAtMs = 0;
  return Array.from({ length: (lastsMs * perSecond) / 1000 }, (_, index) => {
    const dueMs = (1000 * index) / perSecond;
    const seat = seats.indexOf(Math.min(...seats));
    const writtenMs = Math.max(dueMs, seats[seat] ?? 0);
    freeAtMs = seats[seat] = Math.max(writtenMs, freeAtMs) + eachMs;
    return { dueMs, waitsMs: writtenMs - dueMs, serviceMs: freeAtMs - writtenMs };
  });
}

/** Wall seconds of a run in which other programs kept the machine busy. */
export function busySeconds(fromS: number, untilS: number): HostSecond[] {
  return Array.from({ length: untilS - fromS }, (_, index) => ({
    atMs: 1000 * (fromS + index),
    share: 1,
    othersPerCore: 15,
  }));
}
