import type { LabCounts, LatencyMeter } from "./live-source.js";
import type { ClockView, SeriesPoint } from "./protocol/index.js";

/** Points that a snapshot has: ten minutes. */
const POINTS_KEPT = 600;

/** A point for each wall second, from counts since the lab's start. */
export class Series {
  readonly #latency: LatencyMeter;
  #points: SeriesPoint[] = [];
  #last: { readonly wallMs: number; readonly atMs: number; readonly counts: LabCounts } | undefined;

  constructor(latency: LatencyMeter) {
    this.#latency = latency;
  }

  /** Call it at each frame. @returns the point of the second that has passed; undefined: it lasts */
  pass(now: {
    readonly clock: ClockView;
    readonly counts: LabCounts;
    readonly waitingOnPhones: number;
  }): SeriesPoint | undefined {
    const { clock, counts, waitingOnPhones } = now;
    const { wallMs, nowMs: atMs } = clock;
    const last = (this.#last ??= { wallMs, atMs, counts });
    // The frame nearest to the end of the second ends it.
    if (wallMs - last.wallMs < 900) return undefined;
    this.#last = { wallMs, atMs, counts };
    // A frame may be late: rates stay per second.
    const seconds = (wallMs - last.wallMs) / 1000;
    const rate = (of: "events" | "accepted" | "failures"): number =>
      Math.max(0, Math.round((counts[of] - last.counts[of]) / seconds));
    const point: SeriesPoint = {
      wallMs,
      atMs,
      events: rate("events"),
      accepted: rate("accepted"),
      failures: rate("failures"),
      ...this.#latency.read(),
      waitingOnPhones,
      ...(isStepped(clock, { atMs: atMs - last.atMs, wallMs: wallMs - last.wallMs }) && { isStepped: true as const }),
    };
    this.#points = [...this.#points.slice(1 - POINTS_KEPT), point];
    return point;
  }

  /** The last ten minutes, oldest first. */
  get points(): readonly SeriesPoint[] {
    return this.#points;
  }

  close(): void {
    this.#latency.close();
  }
}

/**
 * Whether virtual time advanced by more than the clock's speed explains. A paced clock may catch up after a late frame,
 * and its speed may change within the second, which is why twice as much is no step.
 */
function isStepped({ speed }: ClockView, passed: { readonly atMs: number; readonly wallMs: number }): boolean {
  return speed > 0 && passed.atMs > 2 * speed * passed.wallMs + STEP_MS;
}

/** A step of the clock is at least a minute in the console; less than this is never seen on the charts. */
const STEP_MS = 30_000;
