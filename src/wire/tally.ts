/** What the ledger keeps accounts of. */
export type Account = "texts" | "calls" | "events" | "attempts";

/**
 * Where births and ends are told to the ledger. Every text, call, event and attempt is opened once by whoever
 * brings it into being and closed once by whoever ends it; what still waits is counted apart, by looking
 * (`Census`), so that a thing which vanished without a word shows as a gap.
 */
export interface Tally {
  /** Something came into being. */
  in(account: Account, count?: number): void;
  /** A second instance came into being, by a named cause: `carrier`, `lost-response`… */
  copy(account: Account, cause: string): void;
  /** It reached its end as it should. */
  delivered(account: Account, count?: number): void;
  /** It ended in failure for good. */
  failed(account: Account): void;
  /** It was lost by a named cause: `carrier`, `paused`, `no-receiver`… */
  lost(account: Account, cause: string, count?: number): void;
}

/** How many of each account still wait somewhere, counted at the places where they wait. */
export type Census = Readonly<Record<Account, number>>;
