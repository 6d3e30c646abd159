import type { LossCause } from "../../wire/index.js";
import type { Connection, Statement } from "../sqlite/connection.js";

/** A text or call that was lost. */
export interface StoredLoss {
  readonly row: number;
  readonly atMs: number;
  readonly cause: LossCause;
  readonly channel: number;
  /** Number of the person. */
  readonly phone: string;
  /** Text of the message; null for a call. */
  readonly text: string | null;
  /** Id of the service's message; null for a person's text, or a call. */
  readonly message: number | null;
}

export const selectLosses = "SELECT row, at_ms AS atMs, cause, channel, phone, text, message FROM loss";

/** What a list of losses is restricted to. */
interface LossFilter {
  readonly channel?: number | undefined;
  readonly phone?: string | undefined;
  readonly cause?: string | undefined;
}

/** Texts and calls that were lost on the way, with their causes. */
export class LossLog {
  readonly #page: Statement<unknown[], StoredLoss>;
  readonly #ofMessage: Statement<[number], StoredLoss>;
  readonly #between: Statement<[string, number, number, number], StoredLoss>;
  readonly #counts: Statement<[], [LossCause, number]>;

  constructor(database: Connection) {
    this.#page = database.prepare(`${selectLosses} WHERE row < ? AND (? IS NULL OR channel = ?)
      AND (? IS NULL OR phone = ?) AND (? IS NULL OR cause = ?) ORDER BY row DESC LIMIT ?`);
    this.#ofMessage = database.prepare(`${selectLosses} WHERE message = ? ORDER BY row LIMIT 1`);
    this.#between = database.prepare(`${selectLosses}
      WHERE phone = ? AND channel = ? AND at_ms > ? AND at_ms <= ? ORDER BY at_ms DESC, row DESC LIMIT 1000`);
    this.#counts = database.prepare("SELECT cause, count(*) FROM loss GROUP BY cause ORDER BY count(*) DESC", "tuple");
  }

  /** Newest first. @param page - `behindRow`: the last row of the page before */
  page(
    { channel, phone, cause }: LossFilter,
    { behindRow = Number.MAX_SAFE_INTEGER, size }: { readonly behindRow?: number | undefined; readonly size: number },
  ): StoredLoss[] {
    const wanted = [channel, phone, cause].flatMap((value) => [value ?? null, value ?? null]);
    return this.#page.all(behindRow, ...wanted, size);
  }

  /** How a message was lost. */
  ofMessage(message: number): StoredLoss | undefined {
    return this.#ofMessage.get(message);
  }

  /** What was lost between two ends after an instant and up to another one, newest first: 1,000 at most. */
  between(
    { channel, phone }: { readonly channel: number; readonly phone: string },
    { afterMs, untilMs }: { readonly afterMs: number; readonly untilMs: number },
  ): StoredLoss[] {
    return this.#between.all(phone, channel, afterMs, untilMs);
  }

  /** How many were lost by each cause, most first. */
  counts(): { readonly cause: LossCause; readonly count: number }[] {
    return this.#counts.all().map(([cause, count]) => ({ cause, count }));
  }
}

/** Indexes of losses, created when an account is served. */
export const lossIndexes: string = `
CREATE INDEX IF NOT EXISTS loss_ends ON loss (phone, channel);
CREATE INDEX IF NOT EXISTS loss_message ON loss (message) WHERE message IS NOT NULL;
`;
