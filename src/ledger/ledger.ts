import type { Account, Census, Tally } from "../wire/index.js";

/** One account, closed: in + copies = delivered + failed + queued + lost + gap. */
export interface AccountReport {
  readonly in: number;
  readonly copies: Readonly<Record<string, number>>;
  readonly delivered: number;
  readonly failed: number;
  readonly queued: number;
  readonly lost: Readonly<Record<string, number>>;
  /** What is missing without a named cause; not 0 is a bug. */
  readonly gap: number;
}

export type LedgerReport = Readonly<Record<Account, AccountReport>>;

export declare class Ledger implements Tally {
  in(account: Account, count?: number): void;
  copy(account: Account, cause: string): void;
  delivered(account: Account, count?: number): void;
  failed(account: Account): void;
  lost(account: Account, cause: string, count?: number): void;
  /** Closes the accounts with what was counted at the places where things wait. */
  close(census: Census): LedgerReport;
}
