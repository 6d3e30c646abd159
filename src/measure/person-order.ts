/** An accepted event: its position among all events of the run, and its person. */
export interface AcceptedEvent {
  /** Row of the event: later events have greater rows. */
  readonly row: number;
  /** Row of the contact. */
  readonly contact: number;
  /** 1: it was accepted at the first attempt. */
  readonly try: number;
  /** Trouble on the way to the receiver held it back, or lost an attempt before. */
  readonly isTroubled?: boolean;
}

/**
 * Counts events that a receiver accepted after a later event of the same person. The order between different people
 * does not count.
 */
export class PersonOrder {
  /** By contact: the highest accepted row. */
  #latest = new Uint32Array(1024);
  #retried = 0;
  #raced = 0;
  #troubled = 0;

  /** Events that were accepted out of order. */
  get count(): number {
    return this.#retried + this.#raced + this.#troubled;
  }

  /** Out of order because an earlier attempt had failed. */
  get retried(): number {
    return this.#retried;
  }

  /** Out of order at the first attempt: both events were in flight at once. */
  get raced(): number {
    return this.#raced;
  }

  /** Out of order because trouble on the way to the receiver held the event back, or lost an attempt before. */
  get troubled(): number {
    return this.#troubled;
  }

  recordAccepted({ row, contact, try: tryNumber, isTroubled = false }: AcceptedEvent): void {
    if (contact >= this.#latest.length) {
      const longer = new Uint32Array(2 * contact);
      longer.set(this.#latest);
      this.#latest = longer;
    }
    if (row >= (this.#latest[contact] ?? 0)) this.#latest[contact] = row;
    else if (isTroubled) this.#troubled++;
    else if (tryNumber > 1) this.#retried++;
    else this.#raced++;
  }
}
