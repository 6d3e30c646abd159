import type { Signal } from "@preact/signals";
import type { LogLine } from "../../protocol/index.js";

/** The log for a list: newest first. Newer events do not move what is being read: they wait until `showNew`. */
export interface EventLog {
  /** The moment of the past that it shows; undefined: now. */
  readonly ofMs: number | undefined;
  /** Whether `count` is known. */
  readonly isKnown: Signal<boolean>;
  readonly count: Signal<number>;
  /** Newer events that wait. */
  readonly waiting: Signal<number>;
  /** More wait than `waiting` counts. */
  readonly isMoreWaiting: boolean;
  /** Why the last request failed. It is repeated every second. */
  readonly error: Signal<Error | undefined>;
  /** Of a search; undefined: the log is not searched. */
  readonly search: Signal<SearchState | undefined>;
  /** Draw again when it changes. */
  readonly version: Signal<number>;
  /** Undefined: it is being fetched. */
  rowAt(index: number): LogLine | undefined;
  /** The lines that are drawn: at the top newer events come by themselves. */
  show(first: number, last: number): void;
  showNew(): void;
  /** Stops a search, or continues it. */
  toggleSearch(): void;
  close(): void;
}

export interface SearchState {
  /** Events from the newest one to the place that the search has reached. */
  readonly searched: number;
  readonly total: number;
  readonly isRunning: boolean;
  /** Everything has been searched. */
  readonly isDone: boolean;
}
