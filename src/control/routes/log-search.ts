import { setImmediate as nextTurn } from "node:timers/promises";
import { detailError } from "../../api/index.js";
import { answers } from "../../console/index.js";
import {
  type EventLog,
  type EventSelection,
  type ExaminedEvent,
  LOG_SCAN_ROWS,
  type LoggedEvent,
  type LogScan,
} from "../../store/index.js";
import { parseFilterTime, parseForm } from "../../wire/index.js";
import { affectedIn } from "./affected-log.js";
import { outcomeOf } from "./log-entry.js";
import type { Control } from "../control.js";

/** Most events on a page. */
export const LIMIT_MAX = 250;

/** The outcomes that a filter accepts. */
export const outcomeWords: readonly string[] = [
  "waiting",
  "nowhere",
  "accepted",
  "retried",
  "refused",
  "failed",
  "timeout",
  "connection",
];

/** The parsed filters of a request. */
export interface LogRequest {
  readonly scan: LogScan;
  /** Tests of each scanned event: the scan's selection, and the filters that only the log has. */
  readonly tests: readonly ((event: ExaminedEvent) => boolean)[];
  readonly limit: number;
}

/** A page of the log, newest event first. */
export interface FoundPage {
  readonly rows: readonly LoggedEvent[];
  /** The row after which the page with older events begins; null: there is none. */
  readonly next: number | null;
  /** The row before which the page with newer events begins; null: this page reaches the newest event. */
  readonly previous: number | null;
  /** Number of events examined. */
  readonly searched: number;
  /** The last event examined. */
  readonly reached: LoggedEvent | undefined;
  /** Events in the log when the search started; the page has no later ones. */
  readonly total: number;
  /** Attempts in the log when the page was read; later ones change its events. */
  readonly attempts: number;
}

/**
 * Reads filters. An index applies one of them: the subject, a channel or a type, in this order. The scan's selection
 * applies the others, except those that only the log has.
 *
 * @throws ApiError for invalid values
 */
export function readLogRequest(control: Control, query: URLSearchParams): LogRequest {
  const { log } = control;
  const subject = wholeNumber(query, "message");
  const channels = channelsIn(control, query);
  const types = listIn(query, "type");
  const [channel] = channels ?? [];
  const [type] = types;
  let by: Pick<LogScan, "by" | "value"> = { by: "all" };
  if (subject !== undefined) by = { by: "subject", value: subject };
  else if (channels?.size === 1 && channel !== undefined) by = { by: "channel", value: channel };
  else if (types.length === 1 && type !== undefined) by = { by: "type", value: type };
  const events = affectedIn(control, listIn(query, "affected"));
  const selection: EventSelection = {
    ...(events !== undefined && { events }),
    ...(channels !== undefined && by.by !== "channel" && { channels }),
    ...(types.length > 0 && by.by !== "type" && { types }),
    ...phoneOf(control, query),
  };
  const tests: ((event: ExaminedEvent) => boolean)[] = [({ isSelected }) => isSelected === 1];
  if (query.get("copies") === "true") tests.push(({ copyOf }) => copyOf !== null);
  const isInDelivery = deliveryTest(log, query);
  if (isInDelivery !== undefined) tests.push(isInDelivery);
  const contains = query.get("contains") ?? "";
  if (contains !== "") tests.push(textTest(contains));
  return {
    scan: { ...by, ...rangeOf(control, query), selection },
    tests,
    limit: Math.min(LIMIT_MAX, Math.max(1, wholeNumber(query, "limit") ?? 50)),
  };
}

/**
 * Reads a page: it examines at most `answers.SEARCHED_MAX` events, so it may have few results or none and still a
 * `next`.
 */
export async function readPage(control: Control, { scan, tests, limit }: LogRequest): Promise<FoundPage> {
  const { log } = control;
  const isOlder = scan.direction === "older";
  const rows: LoggedEvent[] = [];
  const [total, attempts] = [log.lastRow, log.lastAttemptRow];
  let { above } = scan;
  // Events that arrive during the search belong to a newer page.
  let below = Math.min(scan.below, total + 1);
  let searched = 0;
  let reached: LoggedEvent | undefined;
  let isEnd = false;
  search: while (searched < answers.SEARCHED_MAX) {
    const events = log.scan({ ...scan, above, below });
    for (const event of events) {
      searched++;
      reached = event;
      if (tests.every((test) => test(event)) && rows.push(event) === limit) break search;
    }
    if (events.length < LOG_SCAN_ROWS) {
      isEnd = true;
      break;
    }
    if (isOlder) below = reached?.row ?? below;
    else above = reached?.row ?? above;
    if (searched >= answers.SEARCHED_MAX) break;
    await nextTurn();
    if (control.log !== log) throw detailError(409, "The account was replaced meanwhile: ask again.");
  }
  const last = reached?.row ?? null;
  const ofBoth = { rows, searched, reached, total, attempts };
  if (!isOlder) {
    rows.reverse();
    return { ...ofBoth, next: rows.at(-1)?.row ?? null, previous: isEnd ? null : last };
  }
  return { ...ofBoth, next: isEnd ? null : last, previous: scan.below <= total ? scan.below - 1 : null };
}

/** The people of a filter. */
function phoneOf(control: Control, query: URLSearchParams): Pick<EventSelection, "phone"> {
  const person = query.get("person") ?? "";
  if (person === "") return {};
  // A raw + in a query is a space.
  const phones = control.names.phonesOf(person.replace(/^ (?=\d)/, "+"));
  return { phone: { test: (phone) => phones.has(phone), digits: "" } };
}

/** The bounds of the scan, from the times and the previous page. */
function rangeOf(control: Control, query: URLSearchParams): Pick<LogScan, "above" | "below" | "direction"> {
  const { log } = control;
  const before = timeIn(control, query, "before");
  const after = timeIn(control, query, "after");
  const behind = wholeNumber(query, "behind");
  const ahead = wholeNumber(query, "ahead");
  if (behind !== undefined && ahead !== undefined) {
    throw detailError(400, "Give `behind` for older events, or `ahead` for newer ones, not both.");
  }
  const untilRow = before === undefined ? Number.MAX_SAFE_INTEGER : log.firstRowFrom(Math.floor(before) + 1);
  const fromRow = after === undefined ? 0 : log.firstRowFrom(Math.ceil(after)) - 1;
  return {
    above: Math.max(fromRow, ahead ?? 0),
    below: Math.min(untilRow, behind ?? Number.MAX_SAFE_INTEGER),
    direction: ahead === undefined ? "older" : "newer",
  };
}

function channelsIn(control: Control, query: URLSearchParams): ReadonlySet<number> | undefined {
  const channel = wholeNumber(query, "channel");
  if (channel !== undefined) return new Set([channel]);
  const of = query.get("of") ?? "";
  return of === "" ? undefined : control.names.channelsOf(of.replace(/^ (?=\d)/, "+"));
}

/** A test of outcome and status, which need the last attempt. */
function deliveryTest(log: EventLog, query: URLSearchParams): ((event: LoggedEvent) => boolean) | undefined {
  const outcomes = listIn(query, "outcome");
  const unknown = outcomes.find((word) => !outcomeWords.includes(word));
  if (unknown !== undefined) {
    throw detailError(400, `outcome must be one of ${outcomeWords.join(", ")}, got '${unknown.slice(0, 50)}'`);
  }
  const statuses = listIn(query, "status");
  const strange = statuses.find((word) => !/^([1-9]\d\d|[1-9]xx|none)$/.test(word));
  if (strange !== undefined) {
    throw detailError(400, `status must be a number such as 200, a class such as 4xx, or none, got '${strange}'`);
  }
  if (outcomes.length === 0 && statuses.length === 0) return undefined;
  return (event) => {
    const last = log.lastAttemptOf(event);
    if (outcomes.length > 0 && !outcomes.includes(outcomeOf(event, last))) return false;
    if (statuses.length === 0) return true;
    if (last === undefined) return false;
    return statuses.some((word) => isStatus(last.status, word));
  };
}

function isStatus(status: number | null, word: string): boolean {
  if (status === null) return word === "none";
  return word.endsWith("xx") ? Math.floor(status / 100) === Number(word[0]) : String(status) === word;
}

/**
 * Makes a case-insensitive test whether a decoded field contains a text; a text with `=` is searched in the body as
 * sent. A space before a digit also matches a +, which the query may have decoded.
 */
function textTest(text: string): (event: LoggedEvent) => boolean {
  const wanted = text.toLowerCase();
  const number = /^ \d/.test(wanted) ? `+${wanted.slice(1)}` : wanted;
  // URL encoding does not change these characters, so most bodies need no decoding.
  const isPlain = /^[a-z0-9*._-]+$/.test(wanted);
  return ({ body }) => {
    const raw = body.toLowerCase();
    if (isPlain && !raw.includes(wanted)) return false;
    if (wanted.includes("=") && raw.includes(wanted)) return true;
    return parseForm(body).some(([, value]) => {
      const decoded = value.toLowerCase();
      return decoded.includes(wanted) || decoded.includes(number);
    });
  };
}

function timeIn(control: Control, query: URLSearchParams, name: "before" | "after"): number | undefined {
  const value = query.get(name);
  if (value === null || value === "") return undefined;
  const epochMs = parseFilterTime(value);
  if (epochMs === undefined)
    throw detailError(400, `${name} must be a time such as 2026-03-05T07:41:09.120, got '${value}'`);
  return epochMs - control.startsAtMs;
}

function listIn(query: URLSearchParams, name: string): readonly string[] {
  return (query.get(name) ?? "").split(",").filter((word) => word !== "");
}

/** Whole numbers with commas; undefined: not given. @throws ApiError */
export function numbersIn(query: URLSearchParams, name: string): readonly number[] | undefined {
  if (!query.has(name)) return undefined;
  const numbers = listIn(query, name).map((text) => wholeOf(text, name));
  if (numbers.length > LIMIT_MAX) throw detailError(400, `${name} takes up to ${LIMIT_MAX} numbers`);
  return numbers;
}

/** A whole number; undefined: not given. @throws ApiError */
export function wholeNumber(query: URLSearchParams, name: string): number | undefined {
  const value = query.get(name);
  return value === null || value === "" ? undefined : wholeOf(value, name);
}

function wholeOf(text: string, name: string): number {
  const number = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(number)) throw detailError(400, `${name} must be a whole number`);
  return number;
}
