/** An overloaded receiver that handles less than this share of its limit has collapsed. */
const COLLAPSED = 0.85;

/** Fewer overloads may be accidents. */
const LEAST_OVERLOADS = 2;

/**
 * Finds out whether a receiver collapses under overload, as queues, timeouts or swapping take its time: most trials beyond
 * the limit have a throughput clearly below it. Values are on the scale of hardness.
 */
export class Collapse {
  readonly #throughputs: number[] = [];

  /** Adds what the receiver handled in a trial in which it was saturated. */
  add(throughput: number): void {
    this.#throughputs.push(throughput);
  }

  /** The median throughput after a collapse from a held value; undefined: no collapse. */
  below(held: number): number | undefined {
    const low = this.#throughputs.filter((one) => one < held + Math.log(COLLAPSED)).toSorted((a, b) => a - b);
    if (low.length < LEAST_OVERLOADS || 2 * low.length < this.#throughputs.length) return undefined;
    return low[Math.floor(low.length / 2)];
  }
}
