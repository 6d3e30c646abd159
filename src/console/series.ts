import type { LabCounts, LatencyMeter } from "./live-source.js";
import { type ClockView, isStepped, type SeriesPoint } from "./protocol/index.js";

/** Points of a snapshot: ten minutes. */
const POINTS_KEPT = 600;

/** The series: a point for each wall second, computed from counts since the lab's start. */
export class LiveSeries {
  readonly #latency: LatencyMeter;
  #points: SeriesPoint[] = [];
  #last: { readonly wallMs: number; readonly atMs: number; readonly counts: LabCounts } | undefined;

  constructor(latency: LatencyMeter) {
    this.#latency = latency;
  }

  /** Call it at each frame. @returns the point of a completed second; undefined: the second is not over */
  pass(now: {
    readonly clock: ClockView;
    readonly counts: LabCounts;
    readonly waitingOnPhones: number;
  }): SeriesPoint | undefined {
    const { clock, counts, waitingOnPhones } = now;
    const { wallMs, nowMs: atMs } = clock;
    const last = (this.#last ??= { wallMs, atMs, counts });
    // The second ends with the frame nearest to its end.
    if (wallMs - last.wallMs < 900) return undefined;
    this.#last = { wallMs, atMs, counts };
    // A late frame makes a longer second, so the rates are divided by its length.
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
