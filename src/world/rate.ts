import { IANAZone } from "luxon";
import type { SimTime } from "../sim/index.js";
import type { RateShape } from "./cast.js";

/** A stretch of time in which the rate runs linearly. `before`: arrivals expected before it. */
interface Piece {
  readonly startMs: SimTime;
  readonly endMs: SimTime;
  readonly startPerMs: number;
  readonly endPerMs: number;
  readonly before: number;
}

/**
 * A day's curve of texting by local hour, its mean 1. Assumed: little at night, a rise in the morning, most in the
 * early evening.
 */
const byHour = [
  0.22, 0.12, 0.08, 0.07, 0.1, 0.28, 0.63, 0.98, 1.22, 1.35, 1.4, 1.42, 1.45, 1.38, 1.3, 1.28, 1.35, 1.55, 1.8, 1.88,
  1.64, 1.22, 0.78, 0.5,
];

const HOUR_MS = 3_600_000;
/** Local hours begin at quarters of a UTC hour, whatever the zone. */
const QUARTER_MS = 900_000;

/** How many arrivals are to be expected up to an instant, and when so many are. */
export class Rate {
  readonly #pieces: Piece[] = [];
  #total = 0;

  /** Arrivals stop at `untilMs`, which is not included. */
  constructor(
    shape: RateShape,
    options: {
      readonly fromMs: SimTime;
      readonly untilMs: SimTime;
      readonly startsAtMs: number;
      readonly timezone: string;
    },
  ) {
    const { fromMs, untilMs } = options;
    switch (shape.kind) {
      case "constant":
        this.#add(fromMs, untilMs, shape.perMs, shape.perMs);
        return;
      case "pieces": {
        let startMs = fromMs;
        for (const { startPerMs, endPerMs, lastsMs } of shape.pieces) {
          const endMs = Math.min(startMs + lastsMs, untilMs);
          if (endMs <= startMs) return;
          const cutPerMs = startPerMs + ((endPerMs - startPerMs) * (endMs - startMs)) / lastsMs;
          this.#add(startMs, endMs, startPerMs, cutPerMs);
          startMs = endMs;
        }
        return;
      }
      case "diurnal":
        this.#addDays(shape.perMs, options);
    }
  }

  /** Arrivals expected in all. */
  get total(): number {
    return this.#total;
  }

  /** Arrivals expected before an instant. */
  amountAt(atMs: SimTime): number {
    const piece = this.#pieces.findLast((one) => one.startMs <= atMs);
    if (piece === undefined) return 0;
    return piece.before + amountWithin(piece, Math.min(atMs, piece.endMs) - piece.startMs);
  }

  /** The instant by which so many arrivals are expected, not rounded; Infinity when there are never so many. */
  timeOf(amount: number): number {
    if (amount >= this.#total) return Infinity;
    let low = 0;
    let high = this.#pieces.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#pieces[middle] as Piece).before <= amount) low = middle;
      else high = middle - 1;
    }
    const piece = this.#pieces[low] as Piece;
    return Math.min(piece.endMs, piece.startMs + timeWithin(piece, amount - piece.before));
  }

  #add(startMs: SimTime, endMs: SimTime, startPerMs: number, endPerMs: number): void {
    if (endMs <= startMs || (startPerMs <= 0 && endPerMs <= 0)) return;
    const piece: Piece = { startMs, endMs, startPerMs, endPerMs, before: this.#total };
    this.#pieces.push(piece);
    this.#total += amountWithin(piece, endMs - startMs);
  }

  #addDays(
    meanPerMs: number,
    options: {
      readonly fromMs: SimTime;
      readonly untilMs: SimTime;
      readonly startsAtMs: number;
      readonly timezone: string;
    },
  ): void {
    const { fromMs, untilMs, startsAtMs } = options;
    const zone = IANAZone.create(options.timezone);
    let startMs = fromMs;
    while (startMs < untilMs) {
      const utcMs = startsAtMs + startMs;
      const endMs = Math.min(untilMs, (Math.floor(utcMs / QUARTER_MS) + 1) * QUARTER_MS - startsAtMs);
      const localHours = Math.floor((utcMs + zone.offset(utcMs) * 60_000) / HOUR_MS);
      const perMs = meanPerMs * (byHour[((localHours % 24) + 24) % 24] ?? 1);
      this.#add(startMs, endMs, perMs, perMs);
      startMs = endMs;
    }
  }
}

function slopeOf({ startMs, endMs, startPerMs, endPerMs }: Piece): number {
  return (endPerMs - startPerMs) / (endMs - startMs);
}

/** startPerMs × t + slope × t² / 2 */
function amountWithin(piece: Piece, spanMs: number): number {
  return piece.startPerMs * spanMs + (slopeOf(piece) * spanMs * spanMs) / 2;
}

/** The inverse of `amountWithin`, in the form that has no cancellation for small slopes. */
function timeWithin(piece: Piece, amount: number): number {
  if (amount <= 0 && piece.startPerMs > 0) return 0;
  const root = Math.sqrt(Math.max(0, piece.startPerMs ** 2 + 2 * slopeOf(piece) * amount));
  const divisor = piece.startPerMs + root;
  return divisor === 0 ? 0 : (2 * amount) / divisor;
}
