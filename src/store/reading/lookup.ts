import type { CallRow, ChannelRow, EventRow } from "../../gateway/index.js";
import type { Delay } from "../../wire/index.js";
import type { RowSource } from "./row-source.js";
import { channelFrom, selectChannels, type StoredChannel } from "../recording/channel-columns.js";
import type { RecordedMessage, RecordedReply } from "../recording/rows.js";
import { selectLosses, type StoredLoss } from "./losses.js";
import {
  callColumns,
  eventColumns,
  eventFrom,
  type EventTuple,
  messageColumns,
  messageFrom,
  type StoredMessage,
} from "./select.js";

/** An event with the history of its text, call or outcome before it reached the service. */
export interface TracedEvent extends EventRow {
  /** When the person sent the text, the call began or the phone accepted the message; null when unknown. */
  readonly beganAtMs: number | null;
  /** When the report was ready on the phone; null when no phone reported the event. */
  readonly phoneAtMs: number | null;
  readonly delays: readonly Delay[];
}

type LivedTuple = readonly [...EventTuple, beganAtMs: number | null, phoneAtMs: number | null];

const livedColumns = `${eventColumns}, began_at_ms, phone_at_ms`;

/**
 * Looks up the rows that belong to one event, message or call. Without the indexes of a finished run, each look-up
 * scans a table.
 */
export class Lookup {
  readonly #source: RowSource;

  constructor(source: RowSource) {
    this.#source = source;
  }

  event(channel: number, number: number): TracedEvent | undefined {
    return this.#events("channel = ? AND number = ?", channel, number)[0];
  }

  /** The events mt_sent, mt_dlvd and mt_fail about an outgoing message, in the order in which they were made. */
  outcomesOf(message: number): TracedEvent[] {
    return this.#events("subject = ? AND type IN ('mt_sent', 'mt_dlvd', 'mt_fail') ORDER BY row", message);
  }

  /** The events about a message or a call, in the order in which they were made. */
  eventsAbout(subject: number): TracedEvent[] {
    return this.#events("subject = ? ORDER BY row", subject);
  }

  /** The copies of an event, in the order in which they were made. */
  copiesOf(channel: number, number: number): TracedEvent[] {
    return this.#events("channel = ? AND copy_of = ? ORDER BY row", channel, number);
  }

  /** How many events are copies. */
  copyCount(): number {
    return this.#source.value<number>("SELECT count(*) FROM event WHERE copy_of IS NOT NULL") ?? 0;
  }

  /** Ids of the first copies: `3/17`. */
  firstCopies(most: number): string[] {
    // The unary plus makes SQLite read the index of copies instead of all events in their order.
    const select = "SELECT channel, number FROM event WHERE copy_of IS NOT NULL ORDER BY +row LIMIT ?";
    const found = this.#source.all<{ readonly channel: number; readonly number: number }>(select, most);
    return found.map(({ channel, number }) => `${channel}/${number}`);
  }

  /** The highest number that an event of a channel has; 0 when it has none. */
  lastNumberOf(channel: number): number {
    return this.#source.value<number>("SELECT max(number) FROM event WHERE channel = ?", channel) ?? 0;
  }

  message(id: number): RecordedMessage | undefined {
    return this.#messages("id = ?", id)[0];
  }

  /** The messages that the answer to an event requested. */
  repliesOf(channel: number, number: number): RecordedMessage[] {
    return this.#messages("reply_channel = ? AND reply_event = ? ORDER BY row", channel, number);
  }

  call(id: number): CallRow | undefined {
    return this.#source.first<CallRow>(`SELECT ${callColumns} FROM call WHERE id = ?`, id);
  }

  /** Effects of the answers to an event. */
  answersTo(channel: number, number: number): RecordedReply[] {
    const select = "SELECT row, at_ms AS atMs, channel, number, kind, reason, detail FROM reply";
    return this.#source.all<RecordedReply>(`${select} WHERE channel = ? AND number = ? ORDER BY row`, channel, number);
  }

  /** The try numbers of an event that were made by hand. */
  triesByHand(channel: number, number: number): number[] {
    const select = "SELECT json ->> 'try' AS try FROM input WHERE kind = 'resend' AND json ->> 'id' = ? ORDER BY row";
    return this.#source.all<{ readonly try: number }>(select, `${channel}/${number}`).map((one) => one.try);
  }

  /** The instants at which a person's phone showed a message. */
  hearingsOf(message: number): number[] {
    const select = "SELECT at_ms AS atMs FROM hearing WHERE message = ? ORDER BY row";
    return this.#source.all<{ atMs: number }>(select, message).map(({ atMs }) => atMs);
  }

  /** The notes of a kind about a channel at an instant. */
  notesAt(atMs: number, { channel, kind }: { readonly channel: number; readonly kind: string }): string[] {
    const select = "SELECT text FROM note WHERE at_ms = ? AND channel = ? AND kind = ? ORDER BY row";
    return this.#source.all<{ text: string }>(select, atMs, channel, kind).map(({ text }) => text);
  }

  /** How the messages with an id were lost, in the order in which that happened. */
  lossesOf(message: number): StoredLoss[] {
    return this.#source.all<StoredLoss>(`${selectLosses} WHERE message = ? ORDER BY row`, message);
  }

  /** What was lost between a handset and a number up to an instant, oldest first. */
  lossesBetween(
    { channel, phone }: { readonly channel: number; readonly phone: string },
    untilMs: number,
  ): StoredLoss[] {
    const select = `${selectLosses} WHERE phone = ? AND channel = ? AND at_ms <= ? ORDER BY row`;
    return this.#source.all<StoredLoss>(select, phone, channel, untilMs);
  }

  /** The latest messages of the same broadcast that went to the same phone before one, oldest first. */
  messagesBefore({ id, channel, broadcast }: RecordedMessage, most: number): RecordedMessage[] {
    const where = "broadcast = ? AND channel = ? AND id < ? ORDER BY id DESC LIMIT ?";
    return this.#messages(where, broadcast ?? 0, channel, id, most).toReversed();
  }

  channel(id: number): ChannelRow | undefined {
    const stored = this.#source.first<StoredChannel>(selectChannels, id - 1, 1);
    return stored?.id === id ? channelFrom(stored) : undefined;
  }

  #events(where: string, ...values: readonly number[]): TracedEvent[] {
    const select = this.#source.prepare<unknown[], LivedTuple>(
      `SELECT ${livedColumns} FROM event WHERE ${where}`,
      "tuple",
    );
    return this.#source
      .read(() => select.all(...values))
      .map((tuple) => {
        const event = eventFrom(tuple.slice(0, -2) as unknown as EventTuple);
        const [beganAtMs, phoneAtMs] = tuple.slice(-2) as [number | null, number | null];
        return { ...event, beganAtMs, phoneAtMs, delays: this.#delaysOf(event) };
      });
  }

  #delaysOf({ channel, number }: EventRow): Delay[] {
    return this.#source.all<Delay>(
      `SELECT kind, why, from_at_ms AS fromMs, until_at_ms AS untilMs, times FROM delay
        WHERE channel = ? AND number = ? ORDER BY row`,
      channel,
      number,
    );
  }

  #messages(where: string, ...values: readonly number[]): RecordedMessage[] {
    return this.#source
      .all<StoredMessage>(`SELECT ${messageColumns} FROM message WHERE ${where}`, ...values)
      .map(messageFrom);
  }
}
