import type { FleetArrays } from "./live-source.js";
import { fleetColumns, type Totals } from "./protocol/index.js";

/** The fleet and the totals at an instant of virtual time. */
export interface LivePicture {
  readonly atMs: number;
  readonly fleet: FleetArrays;
  readonly totals: Totals;
}

/** Most bytes of all pictures. */
const BYTES_MAX = 32 * 1024 * 1024;
/** Most pictures of a past: its track has hardly more pixels. */
export const PICTURES_MAX = 480;

/**
 * Pictures of a live lab at about equal distances of virtual time, from its first sample on. When there are too many,
 * the distance doubles, and those between go. With them the past of a live lab can be shown before its recording is
 * played again.
 */
export class LivePictures {
  readonly #most: number;
  #distanceMs = 1000;
  #pictures: LivePicture[] = [];

  constructor(handsets: number) {
    const bytes = Math.max(1, handsets * fleetColumns.length * Int32Array.BYTES_PER_ELEMENT);
    this.#most = Math.max(2, Math.min(PICTURES_MAX, Math.floor(BYTES_MAX / bytes)));
  }

  /** Keeps a sample if the last picture is old enough. @param fleet - a copy is kept */
  pass(atMs: number, fleet: FleetArrays, totals: Totals): void {
    const last = this.#pictures.at(-1);
    if (last !== undefined && atMs - last.atMs < this.#distanceMs) return;
    if (this.#pictures.length >= this.#most) this.#thin(atMs);
    const copy = Object.fromEntries(fleetColumns.map((column) => [column, fleet[column].slice()]));
    this.#pictures.push({ atMs, fleet: copy as unknown as FleetArrays, totals });
  }

  /** Keeps about half of the pictures, at the distances that the later ones will have. */
  #thin(untilMs: number): void {
    const fromMs = this.#pictures[0]?.atMs ?? untilMs;
    this.#distanceMs = Math.max(2 * this.#distanceMs, Math.ceil((2 * (untilMs - fromMs)) / this.#most));
    let keptMs = -Infinity;
    this.#pictures = this.#pictures.filter(({ atMs }) => {
      if (atMs - keptMs < this.#distanceMs) return false;
      keptMs = atMs;
      return true;
    });
  }

  /** Oldest first. */
  get all(): readonly LivePicture[] {
    return this.#pictures;
  }
}
