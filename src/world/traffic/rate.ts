import { IANAZone } from "luxon";
import { lastIndexWhere, type SimTime } from "../../sim/index.js";
import type { RateShape } from "../cast/cast.js";

/** A span of time in which the rate is linear. */
interface Stretch {
  readonly startMs: SimTime;
  /** May be Infinity. */
  readonly endMs: SimTime;
  readonly startPerMs: number;
  readonly endPerMs: number;
}

/** A stretch with the arrivals expected before it and up to its end. */
interface Piece extends Stretch {
  readonly before: number;
  readonly after: number;
}

interface RateOptions {
  readonly fromMs: SimTime;
  /** Exclusive; may be Infinity. */
  readonly untilMs: SimTime;
  readonly startsAtMs: number;
  readonly timezone: string;
}

/**
 * A day's curve of texting by local hour, with mean 1. Assumed: low at night, rising in the morning, highest in the
 * early evening.
 */
const usualByHour = [
  0.22, 0.12, 0.08, 0.07, 0.1, 0.28, 0.63, 0.98, 1.22, 1.35, 1.4, 1.42, 1.45, 1.38, 1.3, 1.28, 1.35, 1.55, 1.8, 1.88,
  1.64, 1.22, 0.78, 0.5,
];

const HOUR_MS = 3_600_000;
/** In every zone, local hours begin at quarters of a UTC hour. */
const QUARTER_MS = 900_000;

/** A rate over time: the expected number of arrivals up to an instant, and its inverse. */
export class Rate {
  readonly #pieces: Piece[] = [];
  /** The stretches after the pieces, generated lazily because they may be endless. */
  readonly #rest: Iterator<Stretch>;
  /** Arrivals expected in all pieces. */
  #total = 0;
  /** Cache: the piece of the last answer, which usually contains the next one, too. */
  #last: Piece | undefined;

  constructor(shape: RateShape, options: RateOptions) {
    this.#rest = stretches(shape, options);
  }

  /** Arrivals expected before an instant. */
  amountAt(atMs: SimTime): number {
    while ((this.#pieces.at(-1)?.endMs ?? -1) <= atMs && this.#extend());
    const pieces = this.#pieces;
    const piece = pieces[lastIndexWhere(pieces.length, (index) => (pieces[index] as Piece).startMs <= atMs)];
    if (piece === undefined || piece.startMs > atMs) return 0;
    return piece.before + amountWithin(piece, Math.min(atMs, piece.endMs) - piece.startMs);
  }

  /** The instant by which `amount` arrivals are expected, not rounded; Infinity when the rate never yields as many. */
  timeOf(amount: number): number {
    let piece = this.#last;
    if (piece === undefined || amount < piece.before || amount >= piece.after) {
      while (this.#total <= amount && this.#extend());
      if (amount >= this.#total) return Infinity;
      const pieces = this.#pieces;
      piece = pieces[lastIndexWhere(pieces.length, (index) => (pieces[index] as Piece).before <= amount)] as Piece;
      this.#last = piece;
    }
    return Math.min(piece.endMs, piece.startMs + timeWithin(piece, amount - piece.before));
  }

  /** Appends the next piece; false when there is none. */
  #extend(): boolean {
    const next = this.#rest.next();
    if (next.done === true) return false;
    const before = this.#total;
    this.#total += amountWithin(next.value, next.value.endMs - next.value.startMs);
    this.#pieces.push({ ...next.value, before, after: this.#total });
    return true;
  }
}

/** The stretches of a shape with a rate above 0, in order. */
function* stretches(shape: RateShape, options: RateOptions): Generator<Stretch, undefined> {
  for (const stretch of allStretches(shape, options)) {
    if (stretch.endMs > stretch.startMs && (stretch.startPerMs > 0 || stretch.endPerMs > 0)) yield stretch;
  }
}

function* allStretches(shape: RateShape, options: RateOptions): Generator<Stretch, undefined> {
  const { fromMs, untilMs } = options;
  switch (shape.kind) {
    case "constant":
      yield { startMs: fromMs, endMs: untilMs, startPerMs: shape.perMs, endPerMs: shape.perMs };
      return;
    case "pieces": {
      let startMs = fromMs;
      for (const { startPerMs, endPerMs, lastsMs } of shape.pieces) {
        const endMs = Math.min(startMs + lastsMs, untilMs);
        if (endMs <= startMs) return;
        const cutPerMs = startPerMs + ((endPerMs - startPerMs) * (endMs - startMs)) / lastsMs;
        yield { startMs, endMs, startPerMs, endPerMs: cutPerMs };
        startMs = endMs;
      }
      return;
    }
    case "diurnal":
      if (shape.perMs > 0) yield* days(shape, options);
  }
}

function* days(
  { perMs: meanPerMs, byHour = usualByHour }: Extract<RateShape, { kind: "diurnal" }>,
  { fromMs, untilMs, startsAtMs, timezone }: RateOptions,
): Generator<Stretch> {
  const zone = IANAZone.create(timezone);
  let startMs = fromMs;
  while (startMs < untilMs) {
    const utcMs = startsAtMs + startMs;
    const endMs = Math.min(untilMs, (Math.floor(utcMs / QUARTER_MS) + 1) * QUARTER_MS - startsAtMs);
    const localHours = Math.floor((utcMs + zone.offset(utcMs) * 60_000) / HOUR_MS);
    const perMs = meanPerMs * (byHour[((localHours % 24) + 24) % 24] ?? 1);
    yield { startMs, endMs, startPerMs: perMs, endPerMs: perMs };
    startMs = endMs;
  }
}

function slopeOf({ startMs, endMs, startPerMs, endPerMs }: Stretch): number {
  return (endPerMs - startPerMs) / (endMs - startMs);
}

/** startPerMs × t + slope × t² / 2 */
function amountWithin(piece: Stretch, spanMs: number): number {
  const slope = slopeOf(piece);
  // The span may be infinite, and 0 × Infinity is NaN.
  return piece.startPerMs * spanMs + (slope === 0 ? 0 : (slope * spanMs * spanMs) / 2);
}

/** The inverse of `amountWithin`, in the form that has no cancellation for small slopes. */
function timeWithin(piece: Stretch, amount: number): number {
  // Fast path for a constant rate; the formula below gives the same bits.
  if (piece.startPerMs === piece.endPerMs) return amount / piece.startPerMs;
  if (amount <= 0 && piece.startPerMs > 0) return 0;
  const root = Math.sqrt(Math.max(0, piece.startPerMs ** 2 + 2 * slopeOf(piece) * amount));
  const divisor = piece.startPerMs + root;
  return divisor === 0 ? 0 : (2 * amount) / divisor;
}
