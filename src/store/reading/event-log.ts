import type { Connection, Statement } from "../sqlite/connection.js";
import { AttemptKeys } from "./attempt-keys.js";
import { conditionOf, type EventSelection } from "./event-selection.js";
import { firstRowFrom, lastEventRow } from "./rows-by-time.js";
import { headersOf, targetOf, urlIn } from "./select.js";

/** An event of the log. Rows are in the order of virtual time. */
export interface LoggedEvent {
  readonly row: number;
  readonly channel: number;
  readonly number: number;
  readonly atMs: number;
  readonly type: string;
  readonly body: string;
  readonly subject: number | null;
  /** `event.number` of its original, within the channel; null when it is not a copy. */
  readonly copyOf: number | null;
  /** 0 when its channel had no delivery URL or does not forward its type. */
  readonly isPosted: number;
}

/** An event that a scan has examined. */
export interface ExaminedEvent extends LoggedEvent {
  /** Whether it meets the scan's selection. */
  readonly isSelected: 0 | 1;
}

/** An event with the row of one of its attempts. Attempts' rows are in the order of their answers. */
export interface AttemptedEvent extends ExaminedEvent {
  readonly attemptRow: number;
}

/** One attempt of the log, with the beginning of the answer. */
export interface LoggedAttempt {
  readonly try: number;
  /** URL of the request. */
  readonly url: string;
  readonly dueAtMs: number;
  readonly effectAtMs: number;
  readonly durationMs: number;
  readonly status: number | null;
  readonly error: string | null;
  readonly outcome: string;
  readonly headers: string | null;
  readonly body: Uint8Array | null;
  readonly bodyBytes: number;
}

/** The last attempt of an event. */
export interface LastAttempt {
  readonly try: number;
  readonly status: number | null;
  readonly error: string | null;
  readonly outcome: string;
  readonly durationMs: number;
}

/** Effect of the receiver's answer. */
export interface LoggedReply {
  readonly kind: "valid" | "ignored";
  readonly reason: string | null;
  readonly detail: string | null;
}

/** The column by which an index restricts a scan of the log. */
export type LogIndex = "all" | "channel" | "type" | "subject";

/** A part of the log: rows in order of time, newest first or oldest first. */
export interface LogScan {
  readonly by: LogIndex;
  /** Value of the channel, type or subject to select. */
  readonly value?: string | number;
  /** Rows above this one. */
  readonly above: number;
  /** Rows below this one. */
  readonly below: number;
  readonly direction: "older" | "newer";
  /** Sets `isSelected` of each row. Its times are ignored: `above` and `below` bound the rows. */
  readonly selection?: EventSelection;
}

/** Most events that `scan` and `attemptedAfter` return at once. */
export const LOG_SCAN_ROWS = 500;

const columns = `row, channel, number, at_ms AS atMs, type, body, subject, copy_of AS copyOf, is_posted AS isPosted`;

/** Row order is time order, so a page needs no sorting: each index ends with the row. */
const conditions: Readonly<Record<LogIndex, string>> = {
  all: "",
  channel: "channel = ? AND",
  type: "type = ? AND",
  subject: "subject = ? AND",
};

/** The log of deliveries: events in the order of time, each with its attempts. */
export class EventLog {
  readonly #database: Connection;
  readonly #attempts: Statement<[number, number], Omit<LoggedAttempt, "url"> & { readonly url: string | null }>;
  readonly #last: Statement<[number, number], LastAttempt>;
  readonly #reply: Statement<[number, number], LoggedReply>;
  readonly #isPosted: Statement<[number, number], number>;
  readonly #at: Statement<[number], LoggedEvent>;
  readonly #lastAttemptRow: Statement<[], number>;

  constructor(database: Connection) {
    this.#database = database;
    this.#attempts = database.prepare(`SELECT try, ${targetOf("attempt")}, due_at_ms AS dueAtMs,
      effect_at_ms AS effectAtMs, duration_ms AS durationMs, status, error, outcome, ${headersOf}, body,
      body_bytes AS bodyBytes FROM attempt WHERE channel = ? AND number = ? ORDER BY try`);
    this.#last = database.prepare<[number, number], LastAttempt>(
      `SELECT try, status, error, outcome, duration_ms AS durationMs FROM attempt
        WHERE channel = ? AND number = ? ORDER BY try DESC LIMIT 1`,
    );
    this.#reply = database.prepare<[number, number], LoggedReply>(
      "SELECT kind, reason, detail FROM reply WHERE channel = ? AND number = ? ORDER BY row DESC LIMIT 1",
    );
    this.#isPosted = database.prepare<[number, number], number>(
      "SELECT is_posted FROM event WHERE channel = ? AND number = ?",
      "value",
    );
    this.#at = database.prepare<[number], LoggedEvent>(`SELECT ${columns} FROM event WHERE row = ?`);
    this.#lastAttemptRow = database.prepare<[], number>("SELECT coalesce(max(row), 0) FROM attempt", "value");
  }

  /** The newest row, which is the number of events; 0 when there are none. */
  get lastRow(): number {
    return lastEventRow(this.#database);
  }

  /** The newest attempt's row, which is the number of attempts. */
  get lastAttemptRow(): number {
    return this.#lastAttemptRow.get() ?? 0;
  }

  /** The event at a row. */
  at(row: number): LoggedEvent | undefined {
    return this.#at.get(row);
  }

  /** The events of the next `LOG_SCAN_ROWS` attempts after one, in the order of the attempts. */
  attemptedAfter(attemptRow: number, selection: EventSelection = {}): AttemptedEvent[] {
    const from = `(
        SELECT row AS attemptRow, channel AS c, number AS n FROM attempt WHERE row > ? ORDER BY row LIMIT ${LOG_SCAN_ROWS}
      ) CROSS JOIN event ON event.channel = c AND event.number = n ORDER BY attemptRow`;
    return this.#examined<AttemptedEvent>(", attemptRow", from, selection, [attemptRow]);
  }

  /** The next events in a direction, up to `LOG_SCAN_ROWS`. */
  scan({ by, value, above, below, direction, selection = {} }: LogScan): ExaminedEvent[] {
    // SQLite reads by rowid, or by an index that ends with the rowid: neither needs a sort.
    const from = `event WHERE ${conditions[by]} row > ? AND row < ?
      ORDER BY row ${direction === "older" ? "DESC" : "ASC"} LIMIT ${LOG_SCAN_ROWS}`;
    return this.#examined("", from, selection, [...(by === "all" ? [] : [value ?? ""]), above, below]);
  }

  #examined<Event extends ExaminedEvent>(
    more: string,
    from: string,
    selection: EventSelection,
    values: readonly (string | number)[],
  ): Event[] {
    const condition = conditionOf(this.#database, () => new AttemptKeys(this.#database), selection);
    try {
      const select = `SELECT ${columns}${more}, 1${condition.sql} AS isSelected FROM ${from}`;
      return this.#database.prepare<unknown[], Event>(select).all(...condition.values, ...values);
    } finally {
      condition.end();
    }
  }

  /**
   * The first row whose event happened at this virtual time or later; one more than the newest row when there is none.
   */
  firstRowFrom(atMs: number): number {
    return firstRowFrom(this.#database, atMs);
  }

  attemptsOf({ channel, number }: { readonly channel: number; readonly number: number }): LoggedAttempt[] {
    return this.#attempts.all(channel, number).map((row) => ({ ...row, url: urlIn(row.url) }));
  }

  lastAttemptOf({ channel, number }: { readonly channel: number; readonly number: number }): LastAttempt | undefined {
    return this.#last.get(channel, number);
  }

  /** Whether an event was posted when it was made: its channel had a delivery URL and forwards its type. */
  isPosted({ channel, number }: { readonly channel: number; readonly number: number }): boolean {
    return this.#isPosted.get(channel, number) === 1;
  }

  replyTo({ channel, number }: { readonly channel: number; readonly number: number }): LoggedReply | undefined {
    return this.#reply.get(channel, number);
  }
}

/**
 * Indexes of the log and of chains, created when an account is served. An index ends with the row, so those of one
 * column give its events in the order of time.
 */
export const eventLogIndexes: string = `
DROP INDEX IF EXISTS event_at;
DROP INDEX IF EXISTS event_of_channel;
CREATE INDEX IF NOT EXISTS event_channel ON event (channel);
CREATE INDEX IF NOT EXISTS event_type ON event (type);
CREATE INDEX IF NOT EXISTS event_subject ON event (subject) WHERE subject IS NOT NULL;
CREATE UNIQUE INDEX IF NOT EXISTS event_number ON event (channel, number);
CREATE INDEX IF NOT EXISTS event_copy ON event (channel, copy_of) WHERE copy_of IS NOT NULL;
CREATE UNIQUE INDEX IF NOT EXISTS attempt_event ON attempt (channel, number, try);
CREATE INDEX IF NOT EXISTS reply_event ON reply (channel, number);
CREATE INDEX IF NOT EXISTS message_reply ON message (reply_channel, reply_event) WHERE reply_event IS NOT NULL;
CREATE INDEX IF NOT EXISTS delay_event ON delay (channel, number);
CREATE INDEX IF NOT EXISTS hearing_message ON hearing (message);
CREATE INDEX IF NOT EXISTS input_resend ON input (json ->> 'id') WHERE kind = 'resend';
`;
