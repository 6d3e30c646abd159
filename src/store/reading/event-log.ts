import type { Connection, Statement } from "../sqlite/connection.js";
import { List } from "../account/list.js";
import { headersOf, targetOf } from "./select.js";

/** An event of the log, with the state of its delivery. */
export interface LoggedEvent {
  readonly row: number;
  readonly channel: number;
  readonly number: number;
  readonly atMs: number;
  readonly type: string;
  readonly body: string;
  readonly subject: number | null;
  /** Where its last attempt was sent; before the first attempt the delivery URL of its channel; null: nowhere. */
  readonly url: string | null;
  /**
   * Outcome of its last attempt; `nowhere`: its channel had no delivery URL or does not forward its type; null: no
   * attempt was made yet.
   */
  readonly outcome: string | null;
}

/** One attempt of the log, with the beginning of the answer. */
export interface LoggedAttempt {
  readonly try: number;
  /** Where it was sent; null: an older version did not record it. */
  readonly url: string | null;
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

/** Effect of the receiver's answer. */
export interface LoggedReply {
  readonly kind: "valid" | "ignored";
  readonly reason: string | null;
  readonly detail: string | null;
}

/** The log of deliveries: the newest events first, each with its attempts. */
export class EventLog {
  readonly list: List<LoggedEvent>;
  readonly #attempts: Statement<[number, number], LoggedAttempt>;
  readonly #reply: Statement<[number, number], LoggedReply>;

  constructor(database: Connection) {
    const last = (what: string): string => `(SELECT ${what} FROM attempt
      WHERE attempt.channel = event.channel AND attempt.number = event.number ORDER BY try DESC LIMIT 1)`;
    const outcome = `CASE event.is_posted WHEN 0 THEN 'nowhere' ELSE ${last("outcome")} END`;
    const url = `CASE event.is_posted WHEN 0 THEN NULL ELSE coalesce(${last(targetOf("attempt"))}, channel.url) END`;
    this.list = new List(database, {
      columns: `event.row, event.channel, event.number, event.at_ms AS atMs, event.type, event.body, event.subject,
        ${url} AS url, ${outcome} AS outcome`,
      from: "event LEFT JOIN channel ON channel.id = event.channel",
      orders: { happened: { position: "event.at_ms", tie: "event.row" } },
      filters: {
        channel: "event.channel = ?",
        type: "event.type = ?",
        outcome: `${outcome} = ?`,
        untried: `${outcome} IS NULL`,
        subject: "event.subject = ?",
        before: "event.at_ms <= ?",
        after: "event.at_ms >= ?",
      },
      key: "event.row",
    });
    this.#attempts = database.prepare<
      [number, number],
      LoggedAttempt
    >(`SELECT try, ${targetOf("attempt")}, due_at_ms AS dueAtMs,
      effect_at_ms AS effectAtMs, duration_ms AS durationMs, status, error, outcome, ${headersOf}, body,
      body_bytes AS bodyBytes FROM attempt WHERE channel = ? AND number = ? ORDER BY try`);
    this.#reply = database.prepare<[number, number], LoggedReply>(
      "SELECT kind, reason, detail FROM reply WHERE channel = ? AND number = ? ORDER BY row DESC LIMIT 1",
    );
  }

  attemptsOf({ channel, number }: { readonly channel: number; readonly number: number }): LoggedAttempt[] {
    return this.#attempts.all(channel, number);
  }

  replyTo({ channel, number }: { readonly channel: number; readonly number: number }): LoggedReply | undefined {
    return this.#reply.get(channel, number);
  }
}

/** Indexes of the log, created when an account is served. */
export const eventLogIndexes: string = `
CREATE INDEX IF NOT EXISTS event_at ON event (at_ms, row);
CREATE INDEX IF NOT EXISTS event_of_channel ON event (channel, at_ms, row);
CREATE UNIQUE INDEX IF NOT EXISTS attempt_event ON attempt (channel, number, try);
CREATE INDEX IF NOT EXISTS reply_event ON reply (channel, number);
`;
