/** Milliseconds, to three significant digits; all null where nothing was recorded. */
export interface Percentiles {
  readonly p50: number | null;
  readonly p95: number | null;
  readonly p99: number | null;
  /** Exact. */
  readonly max: number | null;
}

/** A `Latency` in sparse encoding: eight bytes for each distinct value (of three digits) that occurred. */
export interface PackedLatency {
  /** Alternating: index in the histogram, count. */
  readonly pairs: Uint32Array;
  readonly count: number;
  readonly sumMs: number;
  readonly minMs: number;
  readonly maxMs: number;
}

/** One hour, the upper bound of the histogram; longer durations count as this in the percentiles. */
const MAX_MICROSECONDS = 3_600_000_000;

/** A page is an array of counters for one power-of-two range of durations. */
const PAGE_BITS = 10;
const PAGE = 1 << PAGE_BITS;

/**
 * An HDR histogram of durations in microseconds: exact up to 2 ms, with a relative error of at most 0.1 % beyond. The
 * layout is that of HdrHistogram with three digits: two pages of 1024 counters, then one page per doubling. A page of 4
 * KiB is allocated when the first value falls into it; the maximum is 92 KiB. Recording takes a tenth of the time that
 * the library takes (docs/measurement.md).
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

  /** Sum of the recorded durations. */
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

  /** Allocated memory. */
  get bytes(): number {
    return this.#pages.reduce((sum, page) => sum + (page?.byteLength ?? 0), 0);
  }

  /** Records a duration in milliseconds, fractions included. A negative one counts as 0. */
  record(ms: number): void {
    const spanMs = ms > 0 ? ms : 0;
    const bucket = bucketOf(spanMs);
    const page = (this.#pages[bucket >>> PAGE_BITS] ??= new Uint32Array(PAGE));
    const slot = bucket & (PAGE - 1);
    page[slot] = (page[slot] ?? 0) + 1;
    this.#count++;
    this.#sumMs += spanMs;
    if (spanMs > this.#maxMs) this.#maxMs = spanMs;
    if (spanMs < this.#minMs) this.#minMs = spanMs;
  }

  /** Adds another histogram. */
  add(other: Latency): void {
    other.#pages.forEach((theirs, index) => {
      if (theirs === undefined) return;
      const ours = (this.#pages[index] ??= new Uint32Array(PAGE));
      for (let slot = 0; slot < PAGE; slot++) ours[slot] = (ours[slot] ?? 0) + (theirs[slot] ?? 0);
    });
    this.#addSums(other.#count, other.#sumMs, other.#minMs, other.#maxMs);
  }

  /** Adds a packed histogram. */
  addPacked({ pairs, count, sumMs, minMs, maxMs }: PackedLatency): void {
    for (let index = 0; index < pairs.length; index += 2) {
      const bucket = pairs[index] ?? 0;
      const page = (this.#pages[bucket >>> PAGE_BITS] ??= new Uint32Array(PAGE));
      const slot = bucket & (PAGE - 1);
      page[slot] = (page[slot] ?? 0) + (pairs[index + 1] ?? 0);
    }
    this.#addSums(count, sumMs, minMs, maxMs);
  }

  pack(): PackedLatency {
    const pairs: number[] = [];
    for (const [bucket, count] of this.#counted()) pairs.push(bucket, count);
    return {
      pairs: Uint32Array.from(pairs),
      count: this.#count,
      sumMs: this.#sumMs,
      minMs: this.#minMs,
      maxMs: this.#maxMs,
    };
  }

  /** Sets all counters to 0 and keeps their memory. */
  clear(): void {
    for (const page of this.#pages) page?.fill(0);
    this.#count = 0;
    this.#sumMs = 0;
    this.#minMs = Infinity;
    this.#maxMs = 0;
  }

  /**
   * The duration that the given percentage of the recorded ones do not exceed; null when nothing was recorded.
   *
   * @param percentile - above 0, up to 100, fractions too; 100 is the exact maximum
   */
  percentile(percentile: number): number | null {
    if (this.#count === 0) return null;
    // 99.9 % of 1000 is rank 999; the tolerance absorbs the rounding error of the product.
    const rank = Math.max(1, Math.ceil((percentile * this.#count) / 100 - 1e-6));
    if (rank >= this.#count) return this.#maxMs;
    let seen = 0;
    for (const [bucket, count] of this.#counted()) {
      seen += count;
      if (seen >= rank) return Math.max(this.#minMs, Math.min(highestOf(bucket) / 1000, this.#maxMs));
    }
    return this.#maxMs;
  }

  /** Counts of durations up to each bound, as in a cumulative histogram. Bounds are ascending milliseconds. */
  countsUpTo(boundsMs: readonly number[]): number[] {
    const counts: number[] = boundsMs.map(() => 0);
    let next = 0;
    let seen = 0;
    for (const [bucket, count] of this.#counted()) {
      const ms = lowestOf(bucket) / 1000;
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

  /** Indexes with a count above 0, in ascending order. */
  *#counted(): Generator<readonly [bucket: number, count: number]> {
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

/** Index of a duration: one per microsecond up to 2047 µs, then 1024 per doubling, each time twice as wide. */
function bucketOf(ms: number): number {
  const microseconds = Math.min(Math.round(ms * 1000), MAX_MICROSECONDS);
  if (microseconds < 2 * PAGE) return microseconds;
  const shift = 21 - Math.clz32(microseconds);
  return (shift + 1) * PAGE + ((microseconds >>> shift) & (PAGE - 1));
}

/** The smallest number of microseconds with this index. */
function lowestOf(bucket: number): number {
  const page = bucket >>> PAGE_BITS;
  return page < 2 ? bucket : (PAGE + (bucket & (PAGE - 1))) * 2 ** (page - 1);
}

/** The largest number of microseconds with this index. */
function highestOf(bucket: number): number {
  const page = bucket >>> PAGE_BITS;
  return page < 2 ? bucket : lowestOf(bucket) + 2 ** (page - 1) - 1;
}
