import { PressureSeconds } from "../../src/lab/host/pressure-seconds.js";
import type { HostSecond } from "../../src/measure/index.js";
import { randomNumbers } from "../support/random.js";
import type { Receiver } from "./planted.js";

/** A burst of work of other programs beside a run. */
export interface Burst {
  readonly fromMs: number;
  readonly lengthMs: number;
  /** Tasks that want each core. */
  readonly othersPerCore: number;
}

/** The interval over which the lab judges the machine. */
const SLICE_MS = 200;

/** What the lab records of bursts: each slice of which half or more is a burst is busy. */
export function hostSeconds(bursts: readonly Burst[], lastsMs: number): HostSecond[] {
  const seconds: HostSecond[] = [];
  const log = new PressureSeconds(0, (second) => void seconds.push(second));
  for (let fromMs = 0; fromMs < lastsMs; fromMs += SLICE_MS) {
    const othersPerCore = bursts.reduce((sum, burst) => {
      const overlapMs = Math.min(fromMs + SLICE_MS, burst.fromMs + burst.lengthMs) - Math.max(fromMs, burst.fromMs);
      return sum + (burst.othersPerCore * Math.max(0, overlapMs)) / SLICE_MS;
    }, 0);
    log.add(fromMs, fromMs + SLICE_MS, { isBusy: othersPerCore >= 4, othersPerCore });
  }
  log.end();
  return seconds;
}

/** How a correct receiver works. */
export interface CorrectReceiver {
  /** It waits this long for something else, such as a database. */
  readonly waitsMs: number;
  /** CPU time of a request, on one thread. */
  readonly workMs: number;
}

/**
 * A correct receiver on a machine with bursts: while others want the cores, its only thread gets its share of one, and
 * each of a request's three wake-ups waits for up to a turn of every other task.
 */
export function correctReceiver(
  { waitsMs, workMs }: CorrectReceiver,
  bursts: readonly Burst[],
  seed: number,
): Receiver {
  const random = randomNumbers(seed);
  const othersAt = (atMs: number): number =>
    bursts.reduce(
      (sum, { fromMs, lengthMs, othersPerCore }) =>
        atMs >= fromMs && atMs < fromMs + lengthMs ? sum + othersPerCore : sum,
      0,
    );
  let freeAtMs = 0;
  return (writtenMs) => {
    let atMs = Math.max(writtenMs, freeAtMs);
    for (let leftMs = workMs * (0.7 + 0.6 * random()); leftMs > 0;) {
      const speed = 1 / (1 + othersAt(atMs));
      const stepMs = Math.min(leftMs / speed, 10);
      leftMs -= stepMs * speed;
      atMs += stepMs;
    }
    freeAtMs = atMs;
    const turnMs = 3 * othersAt(atMs);
    return { ms: atMs - writtenMs + waitsMs + turnMs * (random() + random() + random()) };
  };
}
