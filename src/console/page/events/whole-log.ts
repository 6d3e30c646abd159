import { type Signal, signal } from "@preact/signals";
import type { ShownLog, SearchState } from "./event-log.js";
import type { LogLine } from "../../protocol/index.js";
import { askLog, asError, lookEverySecond } from "./log-requests.js";

/** Lines of a page of the log. */
const PAGE = 100;
/** Most pages in memory. */
const PAGES_MAX = 60;
/**
 * Most concurrent requests. The next page is chosen when a request ends, so a dragged scroll bar does not queue
 * requests.
 */
const ASKED_MAX = 3;
/** Pages to load ahead of a movement, and behind it: a wheel passes three pages a second. */
const AHEAD = 3;
const BEHIND = 1;

interface KnownPage {
  readonly lines: Map<number, LogLine>;
  isAsked: boolean;
}

/** The unfiltered log. The index of a line follows from its row, so any page can be requested directly. */
export class WholeLog implements ShownLog {
  readonly ofMs: number | undefined;
  readonly isKnown: Signal<boolean> = signal(false);
  readonly count: Signal<number> = signal(0);
  readonly waiting: Signal<number> = signal(0);
  readonly isMoreWaiting = false;
  readonly error: Signal<Error | undefined> = signal(undefined);
  readonly search: Signal<SearchState | undefined> = signal(undefined);
  readonly version: Signal<number> = signal(0);
  /** By number, the least recently used first. Rows of page n: n x PAGE + 1 and the following ones. */
  readonly #pages = new Map<number, KnownPage>();
  readonly #stop = new AbortController();
  #first = 0;
  #last = 0;
  /** Direction of scrolling. 1: to older lines; -1: to newer ones. */
  #direction: 1 | -1 = 1;
  #asked = 0;

  constructor(ofMs: number | undefined) {
    this.ofMs = ofMs;
    void lookEverySecond(() => this.#look(), { stop: this.#stop.signal, error: () => this.error.peek() });
  }

  rowAt(index: number): LogLine | undefined {
    const row = this.count.value - index;
    return this.#pages.get(pageOf(row))?.lines.get(row);
  }

  show(first: number, last: number): void {
    if (first !== this.#first) this.#direction = first > this.#first ? 1 : -1;
    this.#first = first;
    this.#last = last;
    if (first === 0 && this.waiting.value > 0) this.showNew();
    // After a failure the next poll tries again. A request at each drawing would follow the failed one without a pause.
    if (this.error.peek() === undefined) this.#fetchMissing();
  }

  showNew(): void {
    this.#last -= this.#first;
    this.#first = 0;
    this.count.value += this.waiting.value;
    this.waiting.value = 0;
    this.#fetchMissing();
  }

  toggleSearch(): void {
    // The whole log is not searched.
  }

  close(): void {
    this.#stop.abort();
  }

  async #look(): Promise<void> {
    // The past does not change.
    if (this.ofMs !== undefined && this.isKnown.peek()) return this.#fetchMissing();
    try {
      // At the top the request includes lines: with the count alone, new rows would be blank until the next answer.
      const wanted = this.#first === 0 ? Math.min(250, Math.max(50, this.#last)) : 1;
      const { total, results } = await askLog(`limit=${wanted}`, this.#stop.signal);
      const isShorter = total < this.count.value;
      if (isShorter) this.#pages.clear();
      for (const line of results) this.#pageAt(pageOf(line.row)).lines.set(line.row, line);
      if (this.#first === 0 || isShorter) {
        this.count.value = total;
        this.waiting.value = 0;
      } else this.waiting.value = total - this.count.value;
      this.error.value = undefined;
      this.isKnown.value = true;
      this.version.value++;
      this.#fetchMissing();
      this.#refresh();
    } catch (error) {
      if (!this.#stop.signal.aborted) this.error.value = asError(error);
    }
  }

  /** Loads pages with missing lines: visible ones, then near ones. The next poll repeats failed requests. */
  #fetchMissing(): void {
    const [newest, oldest] = this.#pagesInView();
    for (let index = this.#first; index < Math.min(this.#last, this.count.peek()); index++) {
      const row = this.count.peek() - index;
      if (this.#pages.get(pageOf(row))?.lines.has(row) !== true) this.#fetch(pageOf(row));
    }
    const [ahead, behind] = this.#direction === 1 ? [oldest, newest] : [newest, oldest];
    for (let pages = 1; pages <= AHEAD; pages++) this.#fetchUnlessWhole(ahead - pages * this.#direction);
    for (let pages = 1; pages <= BEHIND; pages++) this.#fetchUnlessWhole(behind + pages * this.#direction);
  }

  #fetchUnlessWhole(page: number): void {
    const first = Math.max(0, page) * PAGE + 1;
    const size = Math.min(PAGE, this.count.peek() - first + 1);
    if (page < 0 || size <= 0 || (this.#pages.get(page)?.lines.size ?? 0) >= size) return;
    this.#fetch(page);
  }

  /** Reloads visible pages whose lines may have changed. */
  #refresh(): void {
    const [newest, oldest] = this.#pagesInView();
    for (let page = newest; page >= oldest; page--) {
      if ([...(this.#pages.get(page)?.lines.values() ?? [])].some(({ is_open: isOpen }) => isOpen)) this.#fetch(page);
    }
  }

  /** The numbers of the visible pages, the newest first. */
  #pagesInView(): readonly [newest: number, oldest: number] {
    const rowOf = (index: number): number => Math.max(1, this.count.peek() - index);
    return [pageOf(rowOf(this.#first)), pageOf(rowOf(Math.max(this.#first, this.#last - 1)))];
  }

  #fetch(page: number): void {
    if (this.#asked >= ASKED_MAX || this.#pages.get(page)?.isAsked === true) return;
    this.#asked++;
    void this.#ask(page).then((isAnswered) => {
      this.#asked--;
      // After a failure the next poll retries: an immediate retry would loop.
      if (isAnswered) this.#fetchMissing();
    });
  }

  async #ask(page: number): Promise<boolean> {
    const known = this.#pageAt(page);
    known.isAsked = true;
    try {
      const { results } = await askLog(`limit=${PAGE}&behind=${(page + 1) * PAGE + 1}`, this.#stop.signal);
      for (const line of results) if (pageOf(line.row) === page) known.lines.set(line.row, line);
      this.version.value++;
      return true;
    } catch (error) {
      if (!this.#stop.signal.aborted) this.error.value = asError(error);
      return false;
    } finally {
      known.isAsked = false;
    }
  }

  /** Returns a page and marks it as most recently used. Beyond the bound, the least recently used pages are dropped. */
  #pageAt(page: number): KnownPage {
    const known = this.#pages.get(page) ?? { lines: new Map<number, LogLine>(), isAsked: false };
    this.#pages.delete(page);
    this.#pages.set(page, known);
    for (const old of this.#pages.keys()) {
      if (this.#pages.size <= PAGES_MAX) break;
      this.#pages.delete(old);
    }
    return known;
  }
}

function pageOf(row: number): number {
  return Math.floor((row - 1) / PAGE);
}
