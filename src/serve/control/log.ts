import { detailError, schema } from "../../api/index.js";
import type { EventLog, LoggedAttempt, LoggedEvent } from "../../store/index.js";
import { parseFilterTime, parseForm } from "../../wire/index.js";
import type { Control } from "./port.js";
import { type ControlRoute, readRoute } from "./route.js";
import { instantOf } from "./shapes.js";

/** Bytes of an answer's body that the log shows. */
const BODY_SHOWN = 4096;
const LIMIT_MAX = 250;
/** Events that one request with `contains` searches; the next page continues after them. */
const SEARCHED_MAX = 5000;

const outcomes =
  "waiting, accepted, retried, refused, failed, timeout or connection; nowhere: its channel had no delivery URL or does not forward its type";

const attempt = schema.objectOf({
  try: schema.integer,
  at: schema.timestamp,
  duration_ms: { type: "number" },
  url: { ...schema.nullable(schema.text), description: "Where it was sent" },
  status: schema.nullable(schema.integer),
  error: schema.nullable(schema.text),
  outcome: schema.text,
  response_headers: schema.nullable(schema.text),
  response_body: schema.nullable(schema.text),
});

const entry = schema.objectOf({
  id: { ...schema.text, description: "channel/number" },
  channel: schema.integer,
  number: schema.integer,
  at: schema.timestamp,
  type: schema.text,
  url: schema.nullable(schema.text),
  request_body: { ...schema.text, description: "As sent" },
  fields: { type: "object", description: "The same, read", additionalProperties: schema.text },
  outcome: { ...schema.text, description: outcomes },
  retries: schema.integer,
  attempts: schema.arrayOf(attempt),
  reply: schema.nullable(
    schema.objectOf({
      kind: schema.oneOf(["valid", "ignored"]),
      reason: schema.nullable(schema.text),
      detail: schema.nullable(schema.text),
    }),
  ),
});

const outcomeWords: readonly string[] = [
  "waiting",
  "nowhere",
  "accepted",
  "retried",
  "refused",
  "failed",
  "timeout",
  "connection",
];

/** Routes of the log of deliveries; the real service shows one, too (docs/reference/webhook.md#delivery-log). */
export const logRoutes: readonly ControlRoute[] = [
  readRoute({
    path: "/events",
    about: "The log of deliveries, the newest first: each event with its request, its answers, its retries.",
    parameters: {
      channel: { type: "integer", description: "Id of the channel" },
      type: { type: "string", description: "mo_sms, mt_sent…" },
      outcome: { type: "string", description: outcomes },
      message: { type: "integer", description: "Id of the message or call that it is about" },
      contains: {
        type: "string",
        description: `Text in a field of the event, decoded; a page searches ${SEARCHED_MAX} events, so it may have fewer results than \`limit\`, or none, and still a \`next\``,
      },
      before: { type: "string", description: "At or before this virtual time" },
      after: { type: "string", description: "At or after this virtual time" },
      limit: { type: "integer", minimum: 1, maximum: LIMIT_MAX, description: "Default 50" },
      behind: { type: "integer", description: "`next` of the page before" },
    },
    answer: schema.objectOf({ next: schema.nullable(schema.integer), results: schema.arrayOf(entry) }),
    serve: ({ control, query }) => logPage(control, query),
  }),
];

function logPage(control: Control, query: URLSearchParams): Record<string, unknown> {
  const filters: [string, ...(string | number)[]][] = [];
  for (const [parameter, name] of [
    ["channel", "channel"],
    ["message", "subject"],
  ] as const) {
    const value = wholeNumber(query, parameter);
    if (value !== undefined) filters.push([name, value]);
  }
  const [type, outcome, contains] = ["type", "outcome", "contains"].map((name) => query.get(name) ?? "");
  if (type) filters.push(["type", type]);
  if (outcome && !outcomeWords.includes(outcome)) {
    throw detailError(400, `outcome must be one of ${outcomeWords.join(", ")}, got '${outcome.slice(0, 50)}'`);
  }
  if (outcome === "waiting") filters.push(["untried"]);
  else if (outcome) filters.push(["outcome", outcome]);
  for (const name of ["before", "after"] as const) {
    const value = query.get(name);
    if (value === null || value === "") continue;
    const epochMs = parseFilterTime(value);
    if (epochMs === undefined)
      throw detailError(400, `${name} must be a time such as 2026-03-05T07:41:09.120, got '${value}'`);
    const atMs = epochMs - control.startsAtMs;
    filters.push([name, name === "before" ? Math.floor(atMs) : Math.ceil(atMs)]);
  }
  const behind = wholeNumber(query, "behind");
  const last = behind === undefined ? undefined : control.log.list.get(behind);
  if (behind !== undefined && last === undefined) throw detailError(404, `There is no event ${behind} in the log`);
  const page = {
    order: "happened",
    filters,
    size: Math.min(LIMIT_MAX, Math.max(1, wholeNumber(query, "limit") ?? 50)),
    cursor: last === undefined ? undefined : cursorBehind(last),
  };
  const { rows, next } = contains ? search(control.log, page, contains) : firstPage(control.log, page);
  return { next, results: rows.map((event) => entryOf(control, event)) };
}

interface FoundPage {
  readonly rows: readonly LoggedEvent[];
  /** The row after which the next page begins; null: there is none. */
  readonly next: number | null;
}

type LogQuery = Parameters<EventLog["list"]["page"]>[0];

function cursorBehind({ atMs, row }: LoggedEvent): NonNullable<LogQuery["cursor"]> {
  return { position: atMs, tie: row, isBackwards: false };
}

function firstPage(log: EventLog, query: LogQuery): FoundPage {
  const { rows, next } = log.list.page(query);
  return { rows, next: next === undefined ? null : (rows.at(-1)?.row ?? null) };
}

/** Events with a text in a field. A page searches at most 5,000 events, so it may have few results or none. */
function search(log: EventLog, { size, ...query }: LogQuery, text: string): FoundPage {
  const rows: LoggedEvent[] = [];
  let { cursor } = query;
  for (let searched = 0; searched < SEARCHED_MAX; searched += LIMIT_MAX) {
    const page = log.list.page({ ...query, cursor, size: LIMIT_MAX });
    for (const event of page.rows) {
      if (hasText(event, text) && rows.push(event) === size) return { rows, next: event.row };
    }
    const last = page.rows.at(-1);
    if (page.next === undefined || last === undefined) return { rows, next: null };
    cursor = cursorBehind(last);
  }
  return { rows, next: typeof cursor?.tie === "number" ? cursor.tie : null };
}

/** Whether a decoded field or the raw body holds a text. A space before a digit may be a + that the query decoded. */
function hasText({ body }: LoggedEvent, text: string): boolean {
  if (body.includes(text)) return true;
  const number = /^ \d/.test(text) ? `+${text.slice(1)}` : text;
  return parseForm(body).some(([, value]) => value.includes(text) || value.includes(number));
}

function wholeNumber(query: URLSearchParams, name: string): number | undefined {
  const value = query.get(name);
  if (value === null || value === "") return undefined;
  const number = Number(value);
  if (!/^\d+$/.test(value) || !Number.isSafeInteger(number)) throw detailError(400, `${name} must be a whole number`);
  return number;
}

function entryOf(control: Control, event: LoggedEvent): Record<string, unknown> {
  const attempts = control.log.attemptsOf(event);
  return {
    id: `${event.channel}/${event.number}`,
    channel: event.channel,
    number: event.number,
    at: instantOf(control, event.atMs),
    type: event.type,
    url: event.url,
    request_body: event.body,
    fields: Object.fromEntries(parseForm(event.body)),
    outcome: event.outcome ?? "waiting",
    retries: Math.max(0, attempts.length - 1),
    attempts: attempts.map((one) => attemptOf(control, one)),
    reply: control.log.replyTo(event) ?? null,
  };
}

function attemptOf(control: Control, one: LoggedAttempt): Record<string, unknown> {
  return {
    try: one.try,
    at: instantOf(control, one.dueAtMs),
    duration_ms: Math.round(one.durationMs * 100) / 100,
    url: one.url,
    status: one.status,
    error: one.error,
    outcome: one.outcome,
    response_headers: one.headers,
    response_body: one.body === null ? null : new TextDecoder().decode(one.body.subarray(0, BODY_SHOWN)),
  };
}
