/** Milliseconds, to three significant digits; all null where nothing was recorded. */
export interface Percentiles {
  readonly p50: number | null;
  readonly p95: number | null;
  readonly p99: number | null;
  /** Exact. */
  readonly max: number | null;
}

/** What a `Latency` has recorded, in as few bytes as it takes: eight for each value that occurred, to three digits. */
export interface PackedLatency {
  /** A place of the histogram and its count, and so on. */
  readonly pairs: Uint32Array;
  readonly count: number;
  readonly sumMs: number;
  readonly minMs: number;
  readonly maxMs: number;
}

/** One hour: no wall time of an exchange comes near; what is longer counts as this in the percentiles. */
const MAX_MICROSECONDS = 3_600_000_000;

const PAGE_BITS = 10;
const PAGE = 1 << PAGE_BITS;

/**
 * Spans of time in an HDR histogram of microseconds: exact up to 2 ms, to a thousandth beyond. The layout is that of
 * HdrHistogram with three digits (two pages of 1024 steps, then one for each doubling); a page is there once a value
 * falls into it. So it holds 4 KiB for each doubling that occurs, 92 KiB at most, however many are recorded, and
 * recording takes a tenth of what the library does (docs/measurement.md).
 */
export class Latency {
  readonly #pages: (Uint32Array | undefined)[] = [];
  #count = 0;
  #sumMs = 0;
  #minMs = Infinity;
  #maxMs = 0;

  get count(): number {
    return this.#count;
  }

  /** Of what is recorded, in milliseconds. */
  get sumMs(): number {
    return this.#sumMs;
  }

  /** Exact; null where nothing was recorded. */
  get minMs(): number | null {
    return this.#count === 0 ? null : this.#minMs;
  }

  /** Exact; null where nothing was recorded. */
  get maxMs(): number | null {
    return this.#count === 0 ? null : this.#maxMs;
  }

  get meanMs(): number | null {
    return this.#count === 0 ? null : this.#sumMs / this.#count;
  }

  /** Memory that it holds. */
  get bytes(): number {
    return this.#pages.reduce((sum, page) => sum + (page?.byteLength ?? 0), 0);
  }

  /** Records a span in milliseconds; fractions count, less than 0 counts as 0. */
  record(ms: number): void {
    const spanMs = ms > 0 ? ms : 0;
    const place = placeOf(spanMs);
    const page = (this.#pages[place >>> PAGE_BITS] ??= new Uint32Array(PAGE));
    const slot = place & (PAGE - 1);
    page[slot] = (page[slot] ?? 0) + 1;
    this.#count++;
    this.#sumMs += spanMs;
    if (spanMs > this.#maxMs) this.#maxMs = spanMs;
    if (spanMs < this.#minMs) this.#minMs = spanMs;
  }

  /** Takes in all that another one has recorded. */
  add(other: Latency): void {
    other.#pages.forEach((theirs, index) => {
      if (theirs === undefined) return;
      const ours = (this.#pages[index] ??= new Uint32Array(PAGE));
      for (let slot = 0; slot < PAGE; slot++) ours[slot] = (ours[slot] ?? 0) + (theirs[slot] ?? 0);
    });
    this.#addSums(other.#count, other.#sumMs, other.#minMs, other.#maxMs);
  }

  /** Takes in what was packed. */
  addPacked({ pairs, count, sumMs, minMs, maxMs }: PackedLatency): void {
    for (let index = 0; index < pairs.length; index += 2) {
      const place = pairs[index] ?? 0;
      const page = (this.#pages[place >>> PAGE_BITS] ??= new Uint32Array(PAGE));
      const slot = place & (PAGE - 1);
      page[slot] = (page[slot] ?? 0) + (pairs[index + 1] ?? 0);
    }
    this.#addSums(count, sumMs, minMs, maxMs);
  }

  pack(): PackedLatency {
    const pairs: number[] = [];
    for (const [place, count] of this.#places()) pairs.push(place, count);
    return {
      pairs: Uint32Array.from(pairs),
      count: this.#count,
      sumMs: this.#sumMs,
      minMs: this.#minMs,
      maxMs: this.#maxMs,
    };
  }

  /** Forgets all, and keeps the memory for what comes. */
  clear(): void {
    for (const page of this.#pages) page?.fill(0);
    this.#count = 0;
    this.#sumMs = 0;
    this.#minMs = Infinity;
    this.#maxMs = 0;
  }

  /**
   * The span that so many of a hundred do not exceed; null where nothing was recorded.
   *
   * @param percentile - above 0, up to 100, fractions too; 100 is the exact maximum
   */
  percentile(percentile: number): number | null {
    if (this.#count === 0) return null;
    // 99.9 of 1000 is 999, although binary fractions come to a trifle more.
    const rank = Math.max(1, Math.ceil((percentile * this.#count) / 100 - 1e-6));
    if (rank >= this.#count) return this.#maxMs;
    let seen = 0;
    for (const [place, count] of this.#places()) {
      seen += count;
      if (seen >= rank) return Math.max(this.#minMs, Math.min(lastOf(place) / 1000, this.#maxMs));
    }
    return this.#maxMs;
  }

  /** How many do not exceed each of some spans, which must rise. Milliseconds; to a thousandth. */
  countsUpTo(boundsMs: readonly number[]): number[] {
    const counts: number[] = boundsMs.map(() => 0);
    let next = 0;
    let seen = 0;
    for (const [place, count] of this.#places()) {
      const ms = firstOf(place) / 1000;
      while (next < boundsMs.length && ms > (boundsMs[next] ?? Infinity)) counts[next++] = seen;
      seen += count;
    }
    return counts.fill(seen, next);
  }

  percentiles(): Percentiles {
    return { p50: this.percentile(50), p95: this.percentile(95), p99: this.percentile(99), max: this.maxMs };
  }

  #addSums(count: number, sumMs: number, minMs: number, maxMs: number): void {
    this.#count += count;
    this.#sumMs += sumMs;
    if (minMs < this.#minMs) this.#minMs = minMs;
    if (maxMs > this.#maxMs) this.#maxMs = maxMs;
  }

  /** The places that were hit, the shortest spans first. */
  *#places(): Generator<readonly [place: number, count: number]> {
    for (let index = 0; index < this.#pages.length; index++) {
      const page = this.#pages[index];
      if (page === undefined) continue;
      for (let slot = 0; slot < PAGE; slot++) {
        const count = page[slot] ?? 0;
        if (count > 0) yield [index * PAGE + slot, count];
      }
    }
  }
}

/** Up to 2047 µs each has its own; then each doubling has 1024, of twice the width. */
function placeOf(ms: number): number {
  const microseconds = Math.min(Math.round(ms * 1000), MAX_MICROSECONDS);
  if (microseconds < 2 * PAGE) return microseconds;
  const shift = 21 - Math.clz32(microseconds);
  return (shift + 1) * PAGE + ((microseconds >>> shift) & (PAGE - 1));
}

/** The least number of microseconds that has this place. */
function firstOf(place: number): number {
  const page = place >>> PAGE_BITS;
  return page < 2 ? place : (PAGE + (place & (PAGE - 1))) * 2 ** (page - 1);
}

/** The greatest one. */
function lastOf(place: number): number {
  const page = place >>> PAGE_BITS;
  return page < 2 ? place : firstOf(place) + 2 ** (page - 1) - 1;
}
