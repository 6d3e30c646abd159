/** The copies of requests that trouble on the way has made of an event. */
interface Copies {
  /** All so far. */
  made: number;
  /** Those that are under way. */
  open: number;
  /** The delivery of the event itself is over. */
  isOver: boolean;
}

/** Counts copies of requests, by `effectOrder` of their events, until the event and its copies are over. */
export class EventCopies {
  readonly #byEvent = new Map<number, Copies>();

  /** Copies of an event so far. */
  madeOf(event: number): number {
    return this.#byEvent.size === 0 ? 0 : (this.#byEvent.get(event)?.made ?? 0);
  }

  /** Whether a copy of an event is under way. */
  isOpen(event: number): boolean {
    return (this.#byEvent.get(event)?.open ?? 0) > 0;
  }

  add(event: number): void {
    const copies = this.#byEvent.get(event) ?? { made: 0, open: 0, isOver: false };
    copies.made++;
    copies.open++;
    this.#byEvent.set(event, copies);
  }

  /** One copy has taken effect. */
  end(event: number): void {
    const copies = this.#byEvent.get(event);
    if (copies === undefined) return;
    copies.open--;
    this.#forget(event, copies);
  }

  /** The delivery of the event itself is over. */
  close(event: number): void {
    const copies = this.#byEvent.size === 0 ? undefined : this.#byEvent.get(event);
    if (copies === undefined) return;
    copies.isOver = true;
    this.#forget(event, copies);
  }

  #forget(event: number, { open, isOver }: Copies): void {
    if (isOver && open === 0) this.#byEvent.delete(event);
  }
}
