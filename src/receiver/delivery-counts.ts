/** Maximum number of remembered events; the least recently received one is evicted and then counts as new. */
const MAX_REMEMBERED = 200_000;

/** Counts the deliveries of each event. */
export class DeliveryCounts {
  readonly #times = new Map<string, number>();

  /** Counts one delivery. Returns the count so far. */
  count(identity: string): number {
    const times = (this.#times.get(identity) ?? 0) + 1;
    this.#times.delete(identity);
    this.#times.set(identity, times);
    if (this.#times.size > MAX_REMEMBERED) {
      for (const oldest of this.#times.keys()) {
        this.#times.delete(oldest);
        break;
      }
    }
    return times;
  }
}
