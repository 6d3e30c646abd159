import { HostPressure, type HostSecond, Meter, Outages } from "../../src/measure/index.js";
import { type Finding, measuresOf } from "../../src/report/index.js";
import { randomNumbers } from "../support/random.js";

/** A simulated receiver: the answer to a request written at an instant, in milliseconds. */
export type Receiver = (
  writtenMs: number,
  nth: number,
) => {
  readonly ms: number;
  /** Null: it had no answer in time. */
  readonly status?: number | null;
};

export interface Load {
  readonly receiver: Receiver;
  readonly perSecond?: number;
  readonly lastsMs?: number;
  readonly connections?: number;
  /** Lateness of the generator at a due time. */
  readonly latenessMs?: (dueMs: number) => number;
  readonly model?: "open" | "closed";
  readonly typeOf?: (nth: number) => string;
  /** How other programs used the machine. */
  readonly host?: readonly HostSecond[];
  /** Messages that told a person twice of one event. */
  readonly doubles?: number;
  /** Requests in a second: times the mean rate; default 1. */
  readonly shape?: (dueMs: number) => number;
}

/** A receiver that handles one request at a time, each in `eachMs`. */
export function oneWorker(eachMs: number): Receiver {
  let freeAtMs = 0;
  return (writtenMs) => {
    freeAtMs = Math.max(writtenMs, freeAtMs) + eachMs;
    return { ms: freeAtMs - writtenMs };
  };
}

/** The findings of a simulated load with random arrivals over a connection pool. */
export function findingsUnder(load: Load): readonly Finding[] {
  return measuresUnder(load).findings;
}

/** The measures of a simulated load. */
export function measuresUnder(load: Load): ReturnType<typeof measuresOf> {
  const { receiver, perSecond = 100, lastsMs = 60_000, connections = 50, model = "open" } = load;
  const random = randomNumbers(7);
  const meter = new Meter({ isPaced: model === "open", groupOf: () => "clinic" });
  meter.timeline.begin(0);
  const freeAtMs = Array.from({ length: connections }, () => 0);
  const gapMs = (dueMs: number): number => (-Math.log(1 - random()) * 1000) / (perSecond * (load.shape?.(dueMs) ?? 1));
  const host = new HostPressure();
  for (const second of load.host ?? []) host.recordSecond(second);
  let nth = 0;
  for (let dueMs = 0; dueMs < lastsMs; dueMs += gapMs(dueMs)) {
    const latenessMs = load.latenessMs?.(dueMs) ?? 0;
    const seat = freeAtMs.indexOf(Math.min(...freeAtMs));
    const writtenMs = Math.max(dueMs + latenessMs, freeAtMs[seat] ?? 0);
    const { ms, status = 200 } = receiver(writtenMs, nth);
    freeAtMs[seat] = writtenMs + ms;
    const outcome = status === 200 ? "accepted" : status === null ? "timeout" : "refused";
    meter.recordAttempt(
      {
        try: 1,
        outcome,
        status,
        error: status === null ? "ETIMEDOUT" : null,
        dueAtMs: dueMs,
        sentWallMs: writtenMs,
        durationMs: ms,
        latencyMs: writtenMs + ms - dueMs,
        latenessMs: model === "open" ? latenessMs : null,
        bodyBytes: 2,
      },
      { type: load.typeOf?.(nth) ?? "mo_sms", channel: 1 },
      100,
    );
    nth++;
  }
  return measuresOf(meter, {
    model,
    texts: 0,
    host,
    behaviour: {
      doubles: { count: load.doubles ?? 0 },
      order: { count: 0, retried: 0, raced: 0, troubled: 0 },
      repeats: { resent: 0, resentByTrouble: 0, resumed: 0 },
      replies: { valid: 0, ignored: [] },
      outages: new Outages(),
      troubles: { copies: 0, lost: 0 },
    },
  });
}
