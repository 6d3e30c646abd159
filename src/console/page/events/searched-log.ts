import { batch, type Signal, signal } from "@preact/signals";
import type { ShownLog, SearchState } from "./event-log.js";
import { filterQuery, type LogFilter } from "./log-filter.js";
import type { LogLine, LogLines } from "../../protocol/index.js";
import { askLog, asError, lookEverySecond } from "./log-requests.js";

/** Lines of a page of older or newer events. */
const PAGE = 100;
const NEWER_PAGE = 250;
/** Lines to find ahead of the visible ones. */
const AHEAD = 100;
/** Additional lines that `toggleSearch` finds. */
const FURTHER = 2000;
/** Most lines in memory. Beyond it the oldest ones are dropped; scrolling finds them again. */
const KEPT_MAX = 20_000;
/** Most newer lines that wait; with more, `showNew` restarts the search. */
const WAITING_MAX = 5000;
/** Most pages of newer events in one poll; with more, the search restarts at the newest event. */
const NEWER_PAGES_MAX = 4;

/** The events that match filters. The search starts at the newest event and continues as the user scrolls. */
export class SearchedLog implements ShownLog {
  readonly ofMs: number | undefined;
  readonly isKnown: Signal<boolean> = signal(false);
  readonly count: Signal<number> = signal(0);
  readonly waiting: Signal<number> = signal(0);
  readonly error: Signal<Error | undefined> = signal(undefined);
  readonly search: Signal<SearchState | undefined> = signal({ searched: 0, total: 0, isRunning: true, isDone: false });
  readonly version: Signal<number> = signal(0);
  readonly #query: string;
  readonly #isLive: boolean;
  /** Whether a later attempt can make an event match. */
  readonly #isOfDelivery: boolean;
  readonly #stop = new AbortController();
  /** Newest first, one for each row. */
  #lines: LogLine[] = [];
  /** Newer lines that wait, newest first. */
  #newer: LogLine[] = [];
  /** The oldest searched row; null: all rows; undefined: the search has not begun. */
  #next: number | null | undefined;
  /** The newest searched row. */
  #newest = 0;
  /** Number of attempts in the log at the last request. */
  #attempts = 0;
  #first = 0;
  #last = 0;
  #wanted = AHEAD;
  #isFinding = false;
  #isStopped = false;
  isMoreWaiting = false;

  constructor(filter: LogFilter, ofMs: number | undefined) {
    this.ofMs = ofMs;
    this.#query = filterQuery(filter);
    this.#isLive = filter.before === undefined;
    this.#isOfDelivery = [filter.outcome, filter.status, filter.affected].some((value) => value !== undefined);
    void lookEverySecond(() => this.#look(), { stop: this.#stop.signal, error: () => this.error.peek() });
  }

  rowAt(index: number): LogLine | undefined {
    return this.#lines[index];
  }

  show(first: number, last: number): void {
    this.#first = first;
    this.#last = last;
    this.#wanted = Math.max(this.#wanted, last + AHEAD);
    if (first === 0 && this.#newer.length > 0) this.showNew();
    // After a failure the next poll tries again. A request at each drawing would follow the failed one without a pause.
    if (this.error.peek() === undefined) void this.#find();
  }

  showNew(): void {
    this.#last -= this.#first;
    this.#first = 0;
    if (this.isMoreWaiting) return this.#beginAgain();
    this.#lines = merged(this.#lines, this.#newer);
    this.#newer = [];
    this.#dropOldest();
    this.#publish();
  }

  toggleSearch(): void {
    const isRunning = this.#isFinding && !this.#isStopped;
    this.#isStopped = isRunning;
    if (!isRunning) this.#wanted = this.#lines.length + FURTHER;
    this.#publish();
    void this.#find();
  }

  close(): void {
    this.#stop.abort();
  }

  async #look(): Promise<void> {
    // Before the first page, or in the past, which does not change: only resume a search that a failure interrupted.
    if (this.#next === undefined || this.ofMs !== undefined) return this.#find();
    try {
      if (this.#isLive && !this.isMoreWaiting) await this.#findNewer();
      if (this.#isOfDelivery) await this.#findAttempted();
      await this.#refresh();
      this.#publish();
      void this.#find();
    } catch (error) {
      if (!this.#stop.signal.aborted) this.error.value = asError(error);
    }
  }

  /** Searches older events until there are enough lines. */
  async #find(): Promise<void> {
    if (this.#isFinding || this.#isStopped) return;
    this.#isFinding = true;
    try {
      while (this.#isWanting() && !this.#isStopped && !this.#stop.signal.aborted) {
        const from = this.#next;
        if (from !== undefined) this.#publish();
        const page = await this.#ask(`limit=${PAGE}&${this.#query}${from === undefined ? "" : `&behind=${from}`}`);
        // Lines were dropped during the request, so this page does not follow the last line.
        if (this.#next !== from) continue;
        if (from === undefined) {
          [this.#newest, this.#attempts, this.#lines] = [page.total, page.attempts, []];
        }
        this.#next = page.next;
        this.#lines.push(...page.results);
      }
    } catch (error) {
      if (!this.#stop.signal.aborted) this.error.value = asError(error);
    } finally {
      this.#isFinding = false;
      this.#publish();
    }
  }

  #isWanting(): boolean {
    return this.#next === undefined || (this.#next !== null && this.#lines.length < this.#wanted);
  }

  async #findNewer(): Promise<void> {
    for (let pages = 0; pages < NEWER_PAGES_MAX; pages++) {
      const page = await this.#ask(`limit=${NEWER_PAGE}&${this.#query}&ahead=${this.#newest}`);
      this.#newest = page.previous ?? Math.max(page.total, this.#newest);
      this.#addNewer(page.results);
      if (page.previous === null) return;
    }
    if (this.#first === 0) this.#beginAgain();
    else this.isMoreWaiting = true;
  }

  /** Finds events that match now because their delivery has changed. */
  async #findAttempted(): Promise<void> {
    const page = await this.#ask(`limit=${PAGE}&${this.#query}&attempted=${this.#attempts}`);
    this.#attempts = page.attempts;
    const known = new Set([...this.#newer, ...this.#lines].map(({ row }) => row));
    const found = page.results.filter(({ row }) => !known.has(row) && row <= this.#newest);
    // The search finds events beyond its position later.
    const within = found.filter(({ row }) => this.#next === null || row >= (this.#next ?? Infinity));
    if (within.length === 0) return;
    // A line above the visible ones would move them, so it waits.
    const top = this.#first === 0 ? Infinity : (this.#lines[this.#first]?.row ?? Infinity);
    this.#lines = merged(
      this.#lines,
      within.filter(({ row }) => row < top),
    );
    this.#newer = merged(
      this.#newer,
      within.filter(({ row }) => row > top),
    );
  }

  /** Reloads visible lines whose delivery is not over. */
  async #refresh(): Promise<void> {
    const open = this.#lines.slice(this.#first, this.#last).filter(({ is_open: isOpen }) => isOpen);
    if (open.length === 0) return;
    const { results } = await this.#ask(`places=${open.map(({ row }) => row).join(",")}`);
    const fresh = new Map(results.map((line) => [line.row, line]));
    this.#lines = this.#lines.map((line) => fresh.get(line.row) ?? line);
  }

  #addNewer(found: readonly LogLine[]): void {
    if (found.length === 0) return;
    this.#newer = [...found, ...this.#newer];
    if (this.#first === 0) this.showNew();
    else this.isMoreWaiting = this.#newer.length > WAITING_MAX;
  }

  #dropOldest(): void {
    if (this.#lines.length <= KEPT_MAX) return;
    this.#lines.length = KEPT_MAX;
    this.#next = this.#lines.at(-1)?.row ?? this.#next;
    this.#wanted = AHEAD;
  }

  /** Restarts the search at the newest event. The lines stay until the first page arrives. */
  #beginAgain(): void {
    this.#newer = [];
    this.isMoreWaiting = false;
    this.#next = undefined;
    this.#wanted = AHEAD;
    void this.#find();
  }

  async #ask(query: string): Promise<LogLines> {
    const page = await askLog(query, this.#stop.signal);
    this.error.value = undefined;
    return page;
  }

  #publish(): void {
    const reached = this.#next === undefined ? this.#newest : (this.#next ?? 0);
    batch(() => {
      this.isKnown.value = true;
      this.count.value = this.#lines.length;
      this.waiting.value = this.#newer.length;
      this.search.value = {
        searched: this.#newest - reached,
        total: this.#newest,
        isRunning: this.#isFinding && !this.#isStopped,
        isDone: this.#next === null,
      };
      this.version.value++;
    });
  }
}

/** Merges two lists by row, newest first. */
function merged(lines: readonly LogLine[], added: readonly LogLine[]): LogLine[] {
  return added.length === 0 ? [...lines] : [...lines, ...added].sort((a, b) => b.row - a.row);
}
