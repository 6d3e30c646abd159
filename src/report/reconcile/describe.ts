import type { Discrepancy } from "./discrepancies.js";
import type { ReceivedRows } from "./log/received-rows.js";
import type { SentEvents } from "./events/sent-events.js";
import { textChange } from "./text-changes.js";

/** Characters of a text that identifies a row or event. */
const WORDS_MAX = 40;

/** Whether a row differs from its event in a compared value. */
export function isChanged(event: number, row: number, { events, received }: Described): boolean {
  return changesIn(event, row, { events, received }).length > 0;
}

/** The log and the recording that discrepancies are about. */
export interface Described {
  readonly events: SentEvents;
  readonly received: ReceivedRows;
}

type Change = () => string;
const none: readonly Change[] = [];

function changesIn(event: number, row: number, { events, received }: Described): readonly Change[] {
  const [sentText, sentPhone, sentType] = [events.text(event), events.phone(event), events.type(event)];
  const [text, type] = [received.text(row), received.type(row)];
  const hasText = text === undefined || sentText === undefined || text === sentText;
  const hasPhone = sentPhone === undefined || received.hasPhone(row, sentPhone);
  const hasType = type === undefined || type === sentType;
  if (hasText && hasPhone && hasType) return none;
  return [
    ...(hasText ? [] : [() => textChange(sentText, text)]),
    ...(hasPhone ? [] : [() => `phone sent ${sentPhone}, logged ${received.phone(row) || "none"}`]),
    ...(hasType ? [] : [() => `type sent ${sentType}, logged ${type}`]),
  ];
}

export function changed(event: number, row: number, described: Described): Discrepancy {
  const key = described.events.key(event);
  const changes = changesIn(event, row, described).map((change) => change());
  return { event: key, row: row + 1, text: `event ${key}, row ${row + 1}: ${changes.join("; ")}` };
}

export function doubled(event: number, row: number, events: SentEvents): Discrepancy {
  const key = events.key(event);
  return {
    event: key,
    row: row + 1,
    text: `event ${key} is in the log again, in row ${row + 1}: ${whyPosted(event, events)}`,
  };
}

/**
 * Describes a row that matches no event.
 * @param why - a more specific reason, if known
 */
export function unknown(row: number, received: ReceivedRows, why = "matches no event that was sent"): Discrepancy {
  const [id, number] = [received.id(row), received.number(row)];
  const parts = [received.type(row), id, number, received.phone(row), words(received.text(row))];
  const shown = parts.filter((part) => part !== undefined && part !== "").join(" ");
  return { row: row + 1, text: `row ${row + 1} (${shown}) ${why}` };
}

export function missing(event: number, events: SentEvents): Discrepancy {
  return about(event, events, "was accepted but is not in the log");
}

export function uncertain(event: number, events: SentEvents): Discrepancy {
  return about(event, events, "is not in the log; no try was accepted, so it may be absent");
}

export function deduplicated(event: number, events: SentEvents): Discrepancy {
  const other = `another event about the same text or call (${events.key(events.original(event))} and its copies) is`;
  return about(event, events, `is not in the log; ${other}`);
}

function about(event: number, events: SentEvents, what: string): Discrepancy {
  const parts = [events.type(event), events.phone(event), words(events.text(event))];
  const shown = parts.filter((part) => part !== undefined).join(" ");
  const key = events.key(event);
  return { event: key, text: `event ${key} (${shown}) ${what}` };
}

function words(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  return JSON.stringify(text.length > WORDS_MAX ? `${text.slice(0, WORDS_MAX)}…` : text);
}

function whyPosted(event: number, events: SentEvents): string {
  const [posts, byHand] = [events.posts(event), events.postsByHand(event)];
  if (posts <= 1) return "it was posted once";
  const causes = [
    ...(posts - byHand > 1 ? ["a try had no usable answer"] : []),
    ...(byHand > 0 ? [`it was sent again by hand ${byHand === 1 ? "once" : `${byHand} times`}`] : []),
  ];
  return `it was posted ${posts} times, as ${causes.join(", and ")}`;
}
