import type { SentEvents } from "../events/sent-events.js";

/** A row that matches no event, and a more specific reason if one is known. */
export interface UnknownRow {
  readonly row: number;
  readonly why?: () => string | undefined;
}

/** The result of matching; the matches themselves are in `Matches`. */
export interface RowMatches {
  /** In the order of the log. */
  readonly unknown: readonly UnknownRow[];
  readonly warnings: readonly string[];
}

/** Which rows match which events. Rows and events are numbers from 0. */
export class Matches {
  readonly events: SentEvents;
  readonly #rows: Int32Array;
  /** By original: whether a row matches it or one of its copies. */
  readonly #present: Uint8Array;

  constructor(events: SentEvents) {
    this.events = events;
    this.#rows = new Int32Array(events.count).fill(-1);
    this.#present = new Uint8Array(events.count);
  }

  match(event: number, row: number): void {
    this.#rows[event] = row;
    this.#present[this.events.original(event)] = 1;
  }

  /** The row that matches an event; -1: none does. */
  row(event: number): number {
    return this.#rows[event] ?? -1;
  }

  /** Whether a row matches the event or another one about the same text or call. */
  isPresent(event: number): boolean {
    return this.#present[this.events.original(event)] === 1;
  }

  /** Whether no row matches the event although the receiver may have it. */
  isFree(event: number): boolean {
    return this.row(event) === -1 && this.events.isSent(event);
  }

  /** Whether the receiver accepted the event, and no row matches it or another one about the same. */
  isMissing(event: number): boolean {
    return this.events.isAccepted(event) && this.row(event) === -1 && !this.isPresent(event);
  }
}
