import type { Signal } from "@preact/signals";
import type { LogLine } from "../../protocol/index.js";

/** The log for a list, newest first. Newer events wait until `showNew`, so that visible lines do not move. */
export interface ShownLog {
  /** The shown moment of the past; undefined: now. */
  readonly ofMs: number | undefined;
  /** Whether `count` is known. */
  readonly isKnown: Signal<boolean>;
  readonly count: Signal<number>;
  /** Number of newer events that wait. */
  readonly waiting: Signal<number>;
  /** Whether more events wait than `waiting` counts. */
  readonly isMoreWaiting: boolean;
  /** Error of the last request, which is repeated every second. */
  readonly error: Signal<Error | undefined>;
  /** State of the search; undefined: the log is not searched. */
  readonly search: Signal<SearchState | undefined>;
  /** Changes when the list must be drawn again. */
  readonly version: Signal<number>;
  /** Undefined: the line is loading. */
  rowAt(index: number): LogLine | undefined;
  /** Sets the range of drawn lines. At the top, newer events appear automatically. */
  show(first: number, last: number): void;
  showNew(): void;
  /** Stops a search, or continues it. */
  toggleSearch(): void;
  close(): void;
}

export interface SearchState {
  /** Number of events that the search has examined. */
  readonly searched: number;
  readonly total: number;
  readonly isRunning: boolean;
  /** Whether the whole log has been searched. */
  readonly isDone: boolean;
}
