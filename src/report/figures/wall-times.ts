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
    let [low, high] = [0, this.#atMs.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#atMs[middle] ?? 0) < atMs) low = middle + 1;
      else high = middle;
    }
    const [endAt = 0, endWall = 0] = [this.#atMs[low], this.#wallMs[low]];
    if (low === 0 || atMs >= endAt) return endWall;
    const [startAt = 0, startWall = 0] = [this.#atMs[low - 1], this.#wallMs[low - 1]];
    return startWall + ((endWall - startWall) * (atMs - startAt)) / (endAt - startAt);
  }
}
