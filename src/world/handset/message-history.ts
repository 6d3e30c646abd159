/** Most forgotten ids that are kept. Older ones count as never seen: the service does not offer such old ones again. */
const FORGOTTEN_MAX = 10_000;

/** The finished messages that a phone remembers, by id. */
export class MessageHistory {
  /** Oldest first, each as id × 2 + (1 if known to be delivered). */
  #finished: number[] = [];
  /** Ids that the phone sends again if the service offers them again: failed, dropped from the list above, or reset. */
  #forgotten: Set<number> | undefined;

  /** The outcome of a remembered message; undefined when the phone does not remember the id. */
  outcomeOf(id: number): "sent" | "delivered" | undefined {
    const entry = this.#finished.find((one) => Math.floor(one / 2) === id);
    if (entry === undefined) return undefined;
    return entry % 2 === 1 ? "delivered" : "sent";
  }

  /** Adds a message whose end the service has acknowledged; past `countMax` messages the oldest is forgotten. */
  add(id: number, { isDelivered, countMax }: { readonly isDelivered: boolean; readonly countMax: number }): void {
    this.#finished.push(id * 2 + (isDelivered ? 1 : 0));
    if (this.#finished.length <= countMax) return;
    const oldest = this.#finished.shift();
    if (oldest !== undefined) this.forget(Math.floor(oldest / 2));
  }

  markDelivered(id: number): void {
    const index = this.#finished.indexOf(id * 2);
    if (index !== -1) this.#finished[index] = id * 2 + 1;
  }

  /** Forgets a message: the phone sends it again if the service offers it again. */
  forget(id: number): void {
    const forgotten = (this.#forgotten ??= new Set());
    forgotten.add(id);
    if (forgotten.size <= FORGOTTEN_MAX) return;
    for (const oldest of forgotten) {
      forgotten.delete(oldest);
      return;
    }
  }

  forgetAll(): void {
    for (const entry of this.#finished) this.forget(Math.floor(entry / 2));
    this.#finished = [];
  }

  isForgotten(id: number): boolean {
    return this.#forgotten?.has(id) === true;
  }

  /**
   * Removes a forgotten message, which the phone now sends again.
   * @returns false when it was not forgotten
   */
  takeForgotten(id: number): boolean {
    return this.#forgotten?.delete(id) === true;
  }
}
