import { firstIndex } from "../../measure/index.js";
import type { RecordingReader } from "../../store/index.js";

/**
 * Converts virtual time to wall time by linear interpolation between the samples of the fleet, which have both times.
 * Used for marks, and for attempts without a request, which have no wall time.
 */
export class WallTimes {
  readonly #atMs: number[] = [];
  readonly #wallMs: number[] = [];

  constructor(recording: RecordingReader) {
    for (const { atMs, wallMs } of recording.samples()) {
      if (this.#atMs.at(-1) === atMs) continue;
      this.#atMs.push(atMs);
      this.#wallMs.push(wallMs);
    }
  }

  get isEmpty(): boolean {
    return this.#atMs.length < 2;
  }

  get firstMs(): number {
    return this.#wallMs[0] ?? 0;
  }

  get lastMs(): number {
    return this.#wallMs.at(-1) ?? 0;
  }

  /** Wall milliseconds on the sender's clock; times outside the samples map to the first or last one. */
  wallMsAt(atMs: number): number {
    const end = firstIndex(this.#atMs.length - 1, (index) => (this.#atMs[index] ?? 0) >= atMs);
    const [endAt = 0, endWall = 0] = [this.#atMs[end], this.#wallMs[end]];
    if (end === 0 || atMs >= endAt) return endWall;
    const [startAt = 0, startWall = 0] = [this.#atMs[end - 1], this.#wallMs[end - 1]];
    return startWall + ((endWall - startWall) * (atMs - startAt)) / (endAt - startAt);
  }
}
