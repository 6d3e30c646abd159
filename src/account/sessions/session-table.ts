/** A session that has not ended, as it is stored. */
export interface SessionRow {
  /** Counts from 1. */
  readonly id: number;
  /** Row of the contact. */
  readonly contact: number;
  /** Plain JSON, see `StoredState`. */
  readonly state: unknown;
}

/** Where sessions are stored until they end. The store implements it. */
export interface SessionTable {
  /** Oldest first. */
  all(): SessionRow[];
  /** The id that the next session gets. */
  nextId(): number;
  /** Inserts a session, or replaces the one with its id. */
  put(row: SessionRow): void;
  remove(id: number): void;
}
