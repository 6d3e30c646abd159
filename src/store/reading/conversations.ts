import type { MessageOrigin, MessageStatus } from "../../gateway/index.js";
import { type CallEventType, idWithin } from "../../wire/index.js";
import { LossLog, lossIndexes } from "./losses.js";
import type { Connection, Statement } from "../sqlite/connection.js";

/** A message between a handset and a person, as the service has it. */
export interface StoredText {
  readonly id: number;
  readonly channel: number;
  readonly contact: number;
  readonly phone: string;
  readonly direction: "I" | "O";
  readonly status: MessageStatus;
  readonly text: string;
  readonly origin: MessageOrigin;
  readonly createdAtMs: number;
  readonly modifiedAtMs: number;
  readonly sentAtMs: number | null;
  /** Channel of the event that the message answers. */
  readonly replyChannel: number | null;
  readonly replyEvent: number | null;
  /** When the person's phone first showed it; null when it has not, or when the person wrote it. */
  readonly heardAtMs: number | null;
  /** For a person's text: the number of its event; null for a message of the service. */
  readonly event: number | null;
  /** 0 when the event was posted to no receiver. */
  readonly isPosted: number | null;
  /** When the person sent it; below, when the phone received it. */
  readonly beganAtMs: number | null;
  readonly phoneAtMs: number | null;
}

/** A call that a handset reported. */
export interface StoredCall {
  readonly id: number;
  readonly channel: number;
  readonly contact: number;
  readonly phone: string;
  readonly type: CallEventType;
  readonly durationS: number;
  readonly createdAtMs: number;
  /** When the call began; null: not known. */
  readonly beganAtMs: number | null;
}

/** What the service stores about the owner of a number. */
export interface NumberOwner {
  readonly row: number;
  readonly uuid: string;
  readonly name: string | null;
}

/** A page of a list. `next` is the id after which the next page begins; null on the last page. */
export interface IdPage<T> {
  readonly rows: readonly T[];
  readonly next: number | null;
}

/** Messages that one `headsOfChannel` or `headsOfContact` searches; the next page continues after them. */
const SEARCHED_MAX = 5000;
const CHUNK = 250;

/**
 * Conversations of handsets and people: messages and calls by channel and by contact, newest first. Ids of messages and
 * calls are consecutive within a channel, so the index of ids gives a channel's order; the index by contact gives that
 * of two ends.
 */
export class Conversations {
  /** Texts and calls between handsets and people that were lost. */
  readonly losses: LossLog;
  readonly #ofChannel: Statement<[number, number, number], StoredText>;
  readonly #between: Statement<[number, number, string, number, number, number], StoredText>;
  readonly #since: Statement<[number, number, string, number, number, number], StoredText>;
  readonly #ofContact: Statement<[number, string, number, number, number], StoredText>;
  readonly #isNewer: Statement<[number, number, string, number, number], number>;
  readonly #byId: Statement<[number], StoredText>;
  readonly #calls: Statement<[number, number, number], StoredCall>;
  readonly #callsOf: Statement<[number, string, number, number], StoredCall>;
  readonly #contact: Statement<[string], NumberOwner>;

  constructor(database: Connection) {
    this.losses = new LossLog(database);
    // The index of subjects finds a text's event: a unary plus keeps SQLite from the indexes of the other columns.
    const columns = `message.id, message.channel, contact, phone, direction, status, text, origin,
      created_at_ms AS createdAtMs, modified_at_ms AS modifiedAtMs, sent_at_ms AS sentAtMs,
      reply_channel AS replyChannel, reply_event AS replyEvent,
      CASE direction WHEN 'O' THEN (SELECT min(hearing.at_ms) FROM hearing WHERE hearing.message = message.id) END AS heardAtMs,
      event.number AS event, event.is_posted AS isPosted, event.began_at_ms AS beganAtMs, event.phone_at_ms AS phoneAtMs`;
    const from = `FROM message LEFT JOIN event ON direction = 'I' AND event.subject = message.id
      AND +event.channel = message.channel AND event.at_ms = message.created_at_ms AND +event.type = 'mo_sms'`;
    const shown = "visibility <> 'deleted'";
    const position = "(created_at_ms, message.id)";
    const newest = "ORDER BY created_at_ms DESC, message.id DESC LIMIT ?";
    this.#ofChannel = database.prepare(`SELECT ${columns} ${from}
      WHERE message.id > ? AND message.id < ? AND ${shown} ORDER BY message.id DESC LIMIT ?`);
    this.#between = database.prepare(`SELECT ${columns} ${from}
      WHERE contact = ? AND message.channel = ? AND phone = ? AND ${shown} AND ${position} < (?, ?) ${newest}`);
    this.#since = database.prepare(`SELECT ${columns} ${from}
      WHERE contact = ? AND message.channel = ? AND phone = ? AND direction = 'O' AND ${shown} AND ${position} > (?, ?)
        AND origin NOT IN ('campaign', 'traffic')
      ORDER BY created_at_ms, message.id LIMIT ?`);
    this.#ofContact = database.prepare(`SELECT ${columns} ${from}
      WHERE contact = ? AND phone = ? AND ${shown} AND ${position} < (?, ?) ${newest}`);
    this.#isNewer = database.prepare(
      `SELECT 1 FROM message WHERE contact = ? AND channel = ? AND phone = ? AND ${shown}
        AND (created_at_ms, id) > (?, ?) LIMIT 1`,
      "value",
    );
    this.#byId = database.prepare(`SELECT ${columns} ${from} WHERE message.id = ?`);
    const callColumns = `SELECT call.id, call.channel, contact, phone, call.type, duration_s AS durationS,
      created_at_ms AS createdAtMs, event.began_at_ms AS beganAtMs
      FROM call LEFT JOIN event ON event.subject = call.id
        AND +event.channel = call.channel AND event.at_ms = call.created_at_ms AND +event.type = call.type`;
    this.#calls = database.prepare(`${callColumns}
      WHERE call.id > ? AND call.id < ?  ORDER BY call.id DESC LIMIT ?`);
    this.#callsOf = database.prepare(`${callColumns}
      WHERE contact = ? AND phone = ? AND call.id < ?  ORDER BY created_at_ms DESC, call.id DESC LIMIT ?`);
    this.#contact = database.prepare(`SELECT contact.row, contact.uuid, contact.name FROM contact_urn
      JOIN contact ON contact.row = contact_urn.contact WHERE contact_urn.urn = ?`);
  }

  /** The contact with a URN, such as `tel:+250788000001`. */
  contactWith(urn: string): NumberOwner | undefined {
    return this.#contact.get(urn);
  }

  /** A message by its id. */
  text(id: number): StoredText | undefined {
    return this.#byId.get(id);
  }

  /**
   * The newest message of each person with whom a channel has exchanged messages, newest first. A page searches at most
   * 5,000 messages, so it may have few results or none and still a next page.
   *
   * @param page - `behindId`: `next` of the page before
   */
  headsOfChannel(
    channel: number,
    { behindId, size }: { readonly behindId?: number | undefined; readonly size: number },
  ): IdPage<StoredText> {
    const heads = new Map<string, StoredText>();
    let id = behindId ?? idWithin(channel + 1, 0);
    for (let searched = 0; searched < SEARCHED_MAX; searched += CHUNK) {
      const rows = this.#ofChannel.all(idWithin(channel, 0), id, CHUNK);
      for (const row of rows) {
        id = row.id;
        const key = `${row.contact} ${row.phone}`;
        if (heads.has(key) || (behindId !== undefined && this.#hasNewer(row))) continue;
        heads.set(key, row);
        if (heads.size === size) return { rows: [...heads.values()], next: id };
      }
      if (rows.length < CHUNK) return { rows: [...heads.values()], next: null };
    }
    return { rows: [...heads.values()], next: id };
  }

  #hasNewer({ contact, channel, phone, createdAtMs, id }: StoredText): boolean {
    return this.#isNewer.get(contact, channel, phone, createdAtMs, id) !== undefined;
  }

  /** The newest message of a number with each channel, newest first; searches the 5,000 newest messages. */
  headsOfContact(contact: number, phone: string): StoredText[] {
    const heads = new Map<number, StoredText>();
    let [atMs, id] = [Number.MAX_SAFE_INTEGER, 0];
    for (let searched = 0; searched < SEARCHED_MAX; searched += CHUNK) {
      const rows = this.#ofContact.all(contact, phone, atMs, id, CHUNK);
      for (const row of rows) if (!heads.has(row.channel)) heads.set(row.channel, row);
      const last = rows.at(-1);
      if (rows.length < CHUNK || last === undefined) break;
      [atMs, id] = [last.createdAtMs, last.id];
    }
    return [...heads.values()];
  }

  /** The messages of a channel with a number, newest first. */
  between(
    ends: { readonly contact: number; readonly channel: number; readonly phone: string },
    { behindId, size }: { readonly behindId?: number | undefined; readonly size: number },
  ): IdPage<StoredText> {
    const last = behindId === undefined ? undefined : this.#byId.get(behindId);
    const { contact, channel, phone } = ends;
    const [atMs, id] = last === undefined ? [Number.MAX_SAFE_INTEGER, 0] : [last.createdAtMs, last.id];
    return pageOf(this.#between.all(contact, channel, phone, atMs, id, size + 1), size);
  }

  /**
   * The messages of the service to a number since one of its texts, oldest first; without those of campaigns and of
   * the scenario's traffic, which answer no text.
   */
  answersSince(text: StoredText, size: number): StoredText[] {
    const { contact, channel, phone, createdAtMs, id } = text;
    return this.#since.all(contact, channel, phone, createdAtMs, id, size);
  }

  /** The calls of a channel, newest first. */
  callsOfChannel(
    channel: number,
    { behindId, size }: { readonly behindId?: number | undefined; readonly size: number },
  ): IdPage<StoredCall> {
    return pageOf(this.#calls.all(idWithin(channel, 0), behindId ?? idWithin(channel + 1, 0), size + 1), size);
  }

  /** The newest calls of a number. */
  callsOfContact(contact: number, phone: string, size: number): StoredCall[] {
    return this.#callsOf.all(contact, phone, Number.MAX_SAFE_INTEGER, size);
  }
}

function pageOf<T extends { readonly id: number }>(found: readonly T[], size: number): IdPage<T> {
  const rows = found.slice(0, size);
  return { rows, next: found.length > size ? (rows.at(-1)?.id ?? null) : null };
}

/** Index of when people read messages, created when an account is served. */
export const conversationIndexes: string = `
CREATE INDEX IF NOT EXISTS hearing_message ON hearing (message);
${lossIndexes}`;
