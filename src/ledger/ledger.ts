import type { Account, Census, LossCause, Tally } from "../wire/index.js";

/** One account, closed: in + copies = delivered + failed + queued + lost + gap. */
export interface AccountReport {
  readonly in: number;
  readonly copies: Readonly<Record<string, number>>;
  readonly delivered: number;
  readonly failed: number;
  readonly queued: number;
  readonly lost: Readonly<Record<string, number>>;
  /** What is missing without a named cause; not 0 is a bug. Below 0: something ended that never began, or twice. */
  readonly gap: number;
}

export type LedgerReport = Readonly<Record<Account, AccountReport>>;

/** The accounts, in the order in which a report tells them. */
export const accounts: readonly Account[] = ["texts", "calls", "events", "attempts"];

/** What an account has counted so far, all causes together. */
export interface AccountTotals {
  readonly in: number;
  readonly copies: number;
  readonly delivered: number;
  readonly failed: number;
  readonly lost: number;
}

/** The books themselves: plain counters, and causes in small maps beside their sums. */
interface Book {
  in: number;
  copies: number;
  delivered: number;
  failed: number;
  lost: number;
  readonly copiesBy: Map<string, number>;
  readonly lostBy: Map<string, number>;
}

/**
 * Counts births and ends, and closes the accounts (DESIGN: in + copies = delivered + failed + still queued + lost by
 * a named cause). It is told millions of times a run, so a call is an addition and no more.
 */
export class Ledger implements Tally {
  readonly #books: Readonly<Record<Account, Book>> = {
    texts: newBook(),
    calls: newBook(),
    events: newBook(),
    attempts: newBook(),
  };

  /** What was counted so far; the object stays the same and its numbers move on. */
  get totals(): Readonly<Record<Account, AccountTotals>> {
    return this.#books;
  }

  in(account: Account, count = 1): void {
    this.#book(account).in += count;
  }

  copy(account: Account, cause: string): void {
    const book = this.#book(account);
    book.copies++;
    add(book.copiesBy, cause, 1);
  }

  delivered(account: Account, count = 1): void {
    this.#book(account).delivered += count;
  }

  failed(account: Account): void {
    this.#book(account).failed++;
  }

  lost(account: Account, cause: LossCause, count = 1): void {
    const book = this.#book(account);
    book.lost += count;
    add(book.lostBy, cause, count);
  }

  /** A property of which only the running program knows the name is looked up the slow way, and this runs ten times an event. */
  #book(account: Account): Book {
    switch (account) {
      case "texts":
        return this.#books.texts;
      case "calls":
        return this.#books.calls;
      case "events":
        return this.#books.events;
      case "attempts":
        return this.#books.attempts;
    }
  }

  /** Closes the accounts with what was counted at the places where things wait. It may be closed again later. */
  close(census: Census): LedgerReport {
    return {
      texts: closed(this.#books.texts, census.texts),
      calls: closed(this.#books.calls, census.calls),
      events: closed(this.#books.events, census.events),
      attempts: closed(this.#books.attempts, census.attempts),
    };
  }
}

/** What is missing without a named cause, over all accounts: the metric `lost`. Gaps do not cancel each other out. */
export function gaps(report: LedgerReport): number {
  return accounts.reduce((sum, account) => sum + Math.abs(report[account].gap), 0);
}

/** What still waits somewhere, over all accounts: the metric `queued`. */
export function queued(report: LedgerReport): number {
  return accounts.reduce((sum, account) => sum + report[account].queued, 0);
}

function newBook(): Book {
  return { in: 0, copies: 0, delivered: 0, failed: 0, lost: 0, copiesBy: new Map(), lostBy: new Map() };
}

function add(causes: Map<string, number>, cause: string, count: number): void {
  causes.set(cause, (causes.get(cause) ?? 0) + count);
}

function closed(book: Book, waiting: number): AccountReport {
  return {
    in: book.in,
    copies: byName(book.copiesBy),
    delivered: book.delivered,
    failed: book.failed,
    queued: waiting,
    lost: byName(book.lostBy),
    gap: book.in + book.copies - book.delivered - book.failed - waiting - book.lost,
  };
}

/** Causes in the order of their names, so that two runs with the same numbers give the same text. */
function byName(causes: ReadonlyMap<string, number>): Record<string, number> {
  return Object.fromEntries([...causes].sort(([a], [b]) => (a < b ? -1 : 1)));
}
