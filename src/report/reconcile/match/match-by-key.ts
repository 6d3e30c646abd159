import { idsPerChannel } from "../../../wire/index.js";
import type { Matches } from "./matches.js";
import type { SentEvents } from "../events/sent-events.js";

/** Finds the events of a row's key. */
export interface KeyIndex {
  /** Whether the row has a key. */
  readonly hasKey: (row: number) => boolean;
  /** The first event of the row's key; -1: there is none. */
  readonly first: (row: number) => number;
  /** The next event of the same key, after one; -1: there is none. */
  readonly next: (event: number, row: number) => number;
}

/** The result of matching by ids or numbers; the matches themselves are in `Matches`. */
export interface KeyMatches {
  /** Rows without a key. */
  readonly keyless: readonly number[];
  /** Rows whose key belongs to no event that was sent. */
  readonly unknown: readonly number[];
}

/**
 * Matches rows and events of the same key: each row with the first event without a row that the receiver accepted, else
 * with one that it may have.
 *
 * @param onDouble - gets a row that repeats the row of an event
 */
export function matchByKey(
  rows: readonly number[],
  index: KeyIndex,
  { matches, onDouble }: { readonly matches: Matches; readonly onDouble: (event: number, row: number) => void },
): KeyMatches {
  const keyless: number[] = [];
  const unknown: number[] = [];
  for (const row of rows) {
    if (!index.hasKey(row)) {
      keyless.push(row);
      continue;
    }
    let free = -1;
    let matched = -1;
    for (let event = index.first(row); event !== -1; event = index.next(event, row)) {
      if (matches.isFree(event)) {
        if (free === -1) free = event;
        if (!matches.events.isAccepted(event)) continue;
        free = event;
        break;
      }
      if (matched === -1 && matches.row(event) !== -1) matched = event;
    }
    if (free !== -1) matches.match(free, row);
    else if (matched !== -1) onDouble(matched, row);
    else unknown.push(row);
  }
  return { keyless, unknown };
}

/** Events by the number of their message or call. */
export class EventsByNumber {
  /**
   * First event of each number, by the channel in the number and the position there: arrays are faster than a map of a
   * million large numbers.
   */
  readonly #first = new Map<number, number[]>();
  /** Linked list: the next event with the same number. */
  readonly #next = new Map<number, number>();

  /** @param list - the events to find */
  constructor(list: readonly number[], events: SentEvents) {
    const last = new Map<number, number>();
    for (const event of list) {
      const subject = events.subject(event);
      if (Number.isNaN(subject)) continue;
      const first = this.first(subject);
      if (first === -1) this.#add(subject, event);
      else {
        this.#next.set(last.get(first) ?? first, event);
        last.set(first, event);
      }
    }
  }

  /** @returns -1 when there is none */
  first(number: number): number {
    return this.#first.get(Math.floor(number / idsPerChannel))?.[number % idsPerChannel] ?? -1;
  }

  next(event: number): number {
    return this.#next.get(event) ?? -1;
  }

  #add(number: number, event: number): void {
    const channel = Math.floor(number / idsPerChannel);
    let places = this.#first.get(channel);
    if (places === undefined) this.#first.set(channel, (places = []));
    places[number % idsPerChannel] = event;
  }
}
