/** How many events are remembered; beyond it the oldest are forgotten, and would count as new if they came again. */
const MAX_REMEMBERED = 200_000;

/** How often each event has come. */
export class DeliveryCounts {
  readonly #times = new Map<string, number>();

  /** Counts one coming. Returns how often it has come by now. */
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
