import type { LedgerAccount, Census, LossCause, LostItem, Tally, TroubleKind } from "../wire/index.js";

/** One account, closed: in + copies = delivered + failed + queued + lost + gap. */
export interface AccountReport {
  readonly in: number;
  readonly copies: Readonly<Record<string, number>>;
  readonly delivered: number;
  readonly failed: number;
  readonly queued: number;
  readonly lost: Readonly<Record<string, number>>;
  /** Things without a named end; any value but 0 is a bug. Below 0: something ended twice, or ended and never began. */
  readonly gap: number;
  /**
   * Of `attempts`: how many met trouble on the way to the receiver, by its name; absent: none. An attempt may meet
   * several.
   */
  readonly troubled?: Readonly<Record<string, number>>;
}

export type LedgerReport = Readonly<Record<LedgerAccount, AccountReport>>;

/** The accounts, in the order of a report. */
export const accounts: readonly LedgerAccount[] = ["texts", "calls", "events", "attempts"];

/** Counters of one account, summed over causes. */
export interface AccountTotals {
  readonly in: number;
  readonly copies: number;
  readonly delivered: number;
  readonly failed: number;
  readonly lost: number;
}

/** Counters of one account, and their breakdown by cause. */
interface AccountCounters {
  in: number;
  copies: number;
  delivered: number;
  failed: number;
  lost: number;
  readonly copiesBy: Map<string, number>;
  readonly lostBy: Map<string, number>;
  readonly troubledBy: Map<string, number>;
}

/**
 * Counts where texts, calls, events and attempts begin and end. When the ledger closes, each account must
 * balance: in + copies = delivered + failed + queued + lost by a named cause.
 */
export class Ledger implements Tally {
  readonly #accounts: Readonly<Record<LedgerAccount, AccountCounters>> = {
    texts: newCounters(),
    calls: newCounters(),
    events: newCounters(),
    attempts: newCounters(),
  };

  readonly #onLost: ((cause: LossCause, item: LostItem) => void) | undefined;

  /** @param onLost - called for each text and call that is lost */
  constructor(onLost?: (cause: LossCause, item: LostItem) => void) {
    this.#onLost = onLost;
  }

  /** Live view of the counters: always the same object. */
  get totals(): Readonly<Record<LedgerAccount, AccountTotals>> {
    return this.#accounts;
  }

  in(account: LedgerAccount, count = 1): void {
    this.#countersOf(account).in += count;
  }

  copy(account: LedgerAccount, cause: string): void {
    const counters = this.#countersOf(account);
    counters.copies++;
    add(counters.copiesBy, cause, 1);
  }

  delivered(account: LedgerAccount, count = 1): void {
    this.#countersOf(account).delivered += count;
  }

  failed(account: LedgerAccount): void {
    this.#countersOf(account).failed++;
  }

  /** An attempt met trouble on the way to the receiver. */
  troubled(kind: TroubleKind): void {
    add(this.#accounts.attempts.troubledBy, kind, 1);
  }

  lost(account: LedgerAccount, cause: LossCause, lost: number | readonly LostItem[] = 1): void {
    const counters = this.#countersOf(account);
    const count = typeof lost === "number" ? lost : lost.length;
    counters.lost += count;
    add(counters.lostBy, cause, count);
    if (typeof lost !== "number") for (const item of lost) this.#onLost?.(cause, item);
  }

  /**
   * A switch instead of `accounts[account]`: keyed property access is megamorphic here, and this runs ten times per
   * event.
   */
  #countersOf(account: LedgerAccount): AccountCounters {
    switch (account) {
      case "texts":
        return this.#accounts.texts;
      case "calls":
        return this.#accounts.calls;
      case "events":
        return this.#accounts.events;
      case "attempts":
        return this.#accounts.attempts;
    }
  }

  /**
   * Closes the accounts with the census of what still waits. Counting may continue, and `close` may be called again.
   */
  close(census: Census): LedgerReport {
    return {
      texts: closed(this.#accounts.texts, census.texts),
      calls: closed(this.#accounts.calls, census.calls),
      events: closed(this.#accounts.events, census.events),
      attempts: closed(this.#accounts.attempts, census.attempts),
    };
  }
}

/** Sum of the absolute gaps of all accounts: the metric `ledger.gap`. A surplus cannot cancel out a loss. */
export function gaps(report: LedgerReport): number {
  return accounts.reduce((sum, account) => sum + Math.abs(report[account].gap), 0);
}

/** Sum of what still waits, over all accounts: the metric `queued`. */
export function queued(report: LedgerReport): number {
  return accounts.reduce((sum, account) => sum + report[account].queued, 0);
}

function newCounters(): AccountCounters {
  return {
    in: 0,
    copies: 0,
    delivered: 0,
    failed: 0,
    lost: 0,
    copiesBy: new Map(),
    lostBy: new Map(),
    troubledBy: new Map(),
  };
}

function add(causes: Map<string, number>, cause: string, count: number): void {
  causes.set(cause, (causes.get(cause) ?? 0) + count);
}

function closed(counters: AccountCounters, waiting: number): AccountReport {
  return {
    in: counters.in,
    copies: byName(counters.copiesBy),
    delivered: counters.delivered,
    failed: counters.failed,
    queued: waiting,
    lost: byName(counters.lostBy),
    gap: counters.in + counters.copies - counters.delivered - counters.failed - waiting - counters.lost,
    ...(counters.troubledBy.size > 0 && { troubled: byName(counters.troubledBy) }),
  };
}

/** Causes sorted by name, so that equal counts give equal text. */
function byName(causes: ReadonlyMap<string, number>): Record<string, number> {
  return Object.fromEntries([...causes].sort(([a], [b]) => (a < b ? -1 : 1)));
}
