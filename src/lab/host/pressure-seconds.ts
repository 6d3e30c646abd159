import type { HostSecond } from "../../measure/index.js";
import type { SlicePressure } from "./slice-pressure.js";

const SECOND_MS = 1000;

/** Adds the slices of a run up to whole seconds, counted from its begin. */
export class PressureSeconds {
  readonly #record: (second: HostSecond) => void;
  /** The begin of the current second. */
  #atMs: number;
  #busyMs = 0;
  #othersMs = 0;
  #countedMs = 0;

  /** @param record - gets each second, in order */
  constructor(beginsMs: number, record: (second: HostSecond) => void) {
    this.#atMs = beginsMs;
    this.#record = record;
  }

  /** Adds a slice; slices come in order and without gaps. A slice may span several seconds. */
  add(fromMs: number, untilMs: number, { isBusy, othersPerCore }: SlicePressure): void {
    for (let at = fromMs; at < untilMs;) {
      const endMs = Math.min(untilMs, this.#atMs + SECOND_MS);
      const partMs = endMs - at;
      if (isBusy) this.#busyMs += partMs;
      if (othersPerCore !== null) {
        this.#othersMs += othersPerCore * partMs;
        this.#countedMs += partMs;
      }
      at = endMs;
      if (endMs >= this.#atMs + SECOND_MS) this.end();
    }
  }

  /** Ends the current second. The last second of a run is incomplete. */
  end(): void {
    const othersPerCore = this.#countedMs === 0 ? null : this.#othersMs / this.#countedMs;
    this.#record({ atMs: this.#atMs, share: Math.min(1, this.#busyMs / SECOND_MS), othersPerCore });
    this.#atMs += SECOND_MS;
    [this.#busyMs, this.#othersMs, this.#countedMs] = [0, 0, 0];
  }
}
