/** The readers' queries: pages of tables, as the rows of `rows.ts` and the Journal. */

import { contactColumns } from "../account/contacts.js";
import type { EventRow, MessageRow } from "../../gateway/index.js";
import type { CopyCause } from "../../wire/index.js";
import type { RecordedAttempt, RecordedFlowCall, RecordedMessage } from "../recording/rows.js";
import { DamagedRow } from "../sqlite/errors.js";

/** A page: rows after a given row, in order, up to a maximum number. */
const page = "row > ? ORDER BY row LIMIT ?";

/** The headers of an attempt's answer: in its own row, or in the dictionary `head`. */
export const headersOf = "coalesce(headers, (SELECT lines FROM head WHERE head.row = attempt.head)) AS headers";

/** SQL for the URL of an attempt; `urlIn` reads it. */
export function targetOf(attempt: string): string {
  return `(SELECT url FROM target WHERE target.row = ${attempt}.target) AS url`;
}

/** @param url - of the row of `target` that an attempt names. @throws DamagedRow when there is no such row */
export function urlIn(url: string | null | undefined): string {
  if (url === null || url === undefined) throw new DamagedRow("an attempt names no row of target");
  return url;
}

/** The number of rows of a dictionary table. @param schema - name of the attached recording; `main`: the open one */
export function selectLastRow(schema: string, table: "head" | "target"): string {
  return `SELECT coalesce(max(row), 0) FROM ${schema}.${table}`;
}

const attemptColumns = `row, channel, number, try, ${targetOf("attempt")}, due_at_ms AS dueAtMs, effect_at_ms AS effectAtMs,
  sent_wall_ms AS sentWallMs, duration_ms AS durationMs, latency_ms AS latencyMs, status, error, outcome, ${headersOf},
  body, body_bytes AS bodyBytes, redirects, lateness_ms AS latenessMs, is_repeat AS isRepeat, step`;

/** As `EventTuple` has them. */
export const eventColumns = "row, channel, number, at_ms, type, body, subject, copy_of, copy_cause";

export const selectAttemptAt: string = `SELECT ${attemptColumns} FROM attempt WHERE row = ?`;

export const selectEventDensity = "SELECT at_ms / CAST(? AS INTEGER) AS span, count(*) FROM event GROUP BY span";

export const selectFailureDensity =
  "SELECT effect_at_ms / CAST(? AS INTEGER) AS span, count(*) FROM attempt WHERE outcome <> 'accepted' GROUP BY span";

export const selectAlarms = "SELECT channel, at_ms AS atMs FROM event WHERE type = 'alarm' ORDER BY row LIMIT ?";

export const selectEventsFrom =
  "SELECT row, channel, number, at_ms AS atMs, body FROM event WHERE row >= ? ORDER BY row LIMIT ?";

/** The plus keeps SQLite from the index by channel, after which it would sort all rows for every page. */
export const selectEventsOfChannels = `SELECT row, channel, number, at_ms, body FROM event
  WHERE row > ? AND +channel IN (SELECT value FROM json_each(?)) ORDER BY row LIMIT ?`;

export const selectEventOf: string = `SELECT ${eventColumns} FROM event WHERE channel = ? AND number = ?`;

/** Events by a JSON list of channels and numbers. Without an index this is one pass over the table. */
export const selectEventsOf: string = `SELECT ${eventColumns} FROM event
  WHERE (channel, number) IN (SELECT value ->> 0, value ->> 1 FROM json_each(?))`;

/** The attempts of an event, found by way of `keys` (see `AttemptKeys`). */
export function selectAttemptsOf(keys: string): string {
  return `SELECT ${attemptColumns} FROM attempt
    WHERE row IN (SELECT row FROM ${keys} WHERE channel = ? AND number = ?) ORDER BY try`;
}

export const messageColumns = `row, id, channel, contact, phone, direction, status, text, created_at_ms AS createdAtMs,
  modified_at_ms AS modifiedAtMs, sent_at_ms AS sentAtMs, origin, reply_channel AS replyChannel,
  reply_event AS replyEvent, broadcast, type, flow, visibility`;

export const selectMessages: string = `SELECT ${messageColumns} FROM message WHERE ${page}`;

export const callColumns = `row, id, channel, contact, phone, type, time_ms AS timeMs, duration_s AS durationS,
  created_at_ms AS createdAtMs`;

export const selectCalls: string = `SELECT ${callColumns} FROM call WHERE ${page}`;

export const selectContacts: string = `SELECT ${contactColumns} FROM contact WHERE ${page}`;

export const selectFlows: string = `SELECT id AS row, id, uuid, name, type, definition FROM flow WHERE id > ? ORDER BY id LIMIT ?`;

export const selectFlowRuns: string = `SELECT id AS row, id, flow, contact, path, results, answers, created_at_ms AS createdAtMs,
  exited_at_ms AS exitedAtMs, exit_type AS exit FROM flow_run WHERE id > ? ORDER BY id LIMIT ?`;

export const selectFlowCalls: string = `SELECT row, id, contact, run, node, at_ms AS atMs, effect_at_ms AS effectAtMs, method, url,
  body, sent_wall_ms AS sentWallMs, duration_ms AS durationMs, status, error, answer_headers AS answerHeaders,
  answer_body AS answerBody, step, redirects FROM flow_call WHERE ${page}`;

export const selectResthookAttempts: string = `SELECT row, event, subscriber, try, at_ms AS atMs, duration_ms AS durationMs,
  status, error, body, step FROM resthook_attempt WHERE ${page}`;

export const selectReplies: string = `SELECT row, at_ms AS atMs, channel, number, kind, reason, detail FROM reply WHERE ${page}`;

export const selectRoundTrips: string = `SELECT row, channel, number, via, at_ms AS atMs, wall_ms AS wallMs FROM round_trip WHERE ${page}`;

/** Whether the account forwards events of this type from this channel. */
export const isForwarded =
  "(channel.forwards IS NULL OR event.type IN (SELECT value FROM json_each(channel.forwards)))";

/** The first incoming texts, without copies, that were posted and have no round trip; the parameter is how many. */
export const selectTextsWithoutEffect: string = `
  SELECT event.channel, event.number, event.at_ms AS atMs, event.body
  FROM event JOIN channel ON channel.id = event.channel AND channel.url IS NOT NULL
    LEFT JOIN round_trip AS trip ON trip.channel = event.channel AND trip.number = event.number
  WHERE event.type = 'mo_sms' AND event.copy_of IS NULL AND ${isForwarded} AND trip.row IS NULL ORDER BY event.row LIMIT ?`;

export const selectInputs: string = `SELECT row, at_ms AS atMs, kind, json, step FROM input WHERE ${page}`;

export const selectTroubles: string = `SELECT row, at_ms AS atMs, channel, number, try, kind, value FROM trouble WHERE ${page}`;
export const selectNotes: string = `SELECT row, at_ms AS atMs, channel, kind, text FROM note WHERE ${page}`;

/**
 * Events by the outcome of their attempts: an event with an accepted attempt counts as delivered. The parameters are
 * the numbers of attempts that the preset allows: for flow events, and for others.
 */
export const selectFates: string = `
  SELECT CASE
      WHEN last.accepted THEN 'delivered'
      WHEN last.outcome IN ('refused', 'failed') OR last.try >= iif(event.type = 'flow', ?, ?) THEN 'failed'
      WHEN last.outcome IS NULL AND NOT ${isForwarded} THEN 'not-forwarded'
      WHEN last.outcome IS NULL AND channel.url IS NULL THEN 'no-receiver'
      ELSE 'waiting'
    END AS fate, count(*)
  FROM event LEFT JOIN channel ON channel.id = event.channel LEFT JOIN
    (SELECT channel, number, outcome, max(try) AS try, total(outcome = 'accepted') > 0 AS accepted
      FROM attempt GROUP BY channel, number) AS last
    ON last.channel = event.channel AND last.number = event.number
  GROUP BY fate`;

/** Number of events that are copies, by cause. */
export const selectCopies: string = `
  SELECT copy_cause, count(*) FROM event WHERE copy_of IS NOT NULL GROUP BY copy_cause ORDER BY copy_cause`;

/** Virtual time of the latest event, message or note; 0 without any. */
export const selectLastAtMs: string = `
  SELECT max(at_ms) FROM (
    SELECT 0 AS at_ms
    UNION ALL SELECT * FROM (SELECT at_ms FROM event ORDER BY row DESC LIMIT 1)
    UNION ALL SELECT * FROM (SELECT created_at_ms FROM message ORDER BY row DESC LIMIT 1)
    UNION ALL SELECT * FROM (SELECT at_ms FROM note ORDER BY row DESC LIMIT 1))`;

/** Wall milliseconds from the first request to the last answer; null without a request. */
export const selectWallMs: string = "SELECT max(sent_wall_ms + duration_ms) - min(sent_wall_ms) FROM attempt";

/** Wall time of the last answer; null without a request. */
export const selectLastAnswerWallMs: string = "SELECT max(sent_wall_ms + duration_ms) FROM attempt";

export const selectMeasures: string = `SELECT row, channel, number, try, due_at_ms AS dueAtMs, sent_wall_ms AS sentWallMs, duration_ms AS durationMs,
  latency_ms AS latencyMs, lateness_ms AS latenessMs, status, error, outcome, body_bytes AS bodyBytes,
  is_repeat AS isRepeat FROM attempt WHERE ${page}`;

/** An attempt as SQLite returns it: redirects as JSON. */
export type StoredAttempt = Omit<RecordedAttempt, "url" | "redirects" | "isRepeat"> & {
  readonly url: string | null;
  readonly redirects: string | null;
  readonly isRepeat: number;
};

/** An event as a tuple: reading tuples takes two thirds of the time of reading objects. */
export type EventTuple = readonly [
  row: number,
  channel: number,
  number: number,
  atMs: number,
  type: EventRow["type"],
  body: string,
  subject: number | null,
  copyOf: number | null,
  copyCause: CopyCause | null,
];

/** A message as SQLite returns it. */
export type StoredMessage = Omit<RecordedMessage, "replyTo"> & {
  readonly replyChannel: number | null;
  readonly replyEvent: number | null;
};

export function eventFrom([row, channel, number, atMs, type, body, subject, copyOf, copyCause]: EventTuple): EventRow {
  const copy = copyOf === null || copyCause === null ? null : { of: copyOf, cause: copyCause };
  return { row, channel, number, atMs, type, body, subject, copy };
}

/**
 * A column's JSON list.
 * @throws SyntaxError for anything else: another program changed the row
 */
export function listIn<T>(json: string): T[] {
  const value: unknown = JSON.parse(json);
  if (!Array.isArray(value)) throw new SyntaxError(`a list was expected, got ${json.slice(0, 20)}`);
  return value as T[];
}

export function attemptFrom(stored: StoredAttempt): RecordedAttempt {
  const redirects = stored.redirects === null ? [] : listIn<string>(stored.redirects);
  return { ...stored, url: urlIn(stored.url), redirects, isRepeat: stored.isRepeat === 1 };
}

/** A call of a flow as SQLite returns it: redirects as JSON. */
export type StoredFlowCall = Omit<RecordedFlowCall, "redirects"> & { readonly redirects: string | null };

export function flowCallFrom(stored: StoredFlowCall): RecordedFlowCall {
  return { ...stored, redirects: stored.redirects === null ? [] : listIn<string>(stored.redirects) };
}

export function messageFrom({ replyChannel, replyEvent, ...rest }: StoredMessage): RecordedMessage {
  const isReply = replyChannel !== null && replyEvent !== null;
  const replyTo: MessageRow["replyTo"] = isReply ? { channel: replyChannel, event: replyEvent } : null;
  return { ...rest, replyTo };
}
