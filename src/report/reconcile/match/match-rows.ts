import type { OnProgress } from "../../../base/index.js";
import { countOf, formatCount } from "../../number-format.js";
import { matchByContent } from "./match-by-content.js";
import { EventsByNumber, type KeyIndex, matchByKey } from "./match-by-key.js";
import type { Matches, RowMatches, UnknownRow } from "./matches.js";
import type { ReceivedRows } from "../log/received-rows.js";

/** Inputs and rules of matching rows with events. */
export interface MatchRules {
  readonly matches: Matches;
  readonly received: ReceivedRows;
  /** The events of the compared types. */
  readonly list: readonly number[];
  readonly types: ReadonlySet<string>;
  readonly windowMs: number;
  /** Gets a row that repeats the row of an event. */
  readonly onDouble: (event: number, row: number) => void;
  readonly onProgress: OnProgress | undefined;
}

/**
 * Matches rows by the event's id, those without one by the number of the message or call, and those without either by
 * phone, text and time.
 */
export function matchRows(rows: readonly number[], rules: MatchRules): RowMatches {
  const { received, list, onProgress } = rules;
  onProgress?.({ operation: "matching rows", done: 0, total: 0 });
  const unknown: UnknownRow[] = [];
  let left = rows;
  for (const [role, makeIndex] of [["id", idIndex] as const, ["number", numberIndex] as const]) {
    if (!received.has(role) || left.length === 0) continue;
    const index = makeIndex(rules);
    const matches = matchByKey(left, index, rules);
    for (const row of matches.unknown) unknown.push({ row, why: () => whyNot(index.named(row), rules) });
    left = matches.keyless;
  }
  const warnings: string[] = [];
  if (left.length > 0) {
    const hasContent = canMatchByContent(received);
    if (received.has("id") || received.has("number")) warnings.push(keylessText(left.length, rows.length, rules));
    const matches = hasContent
      ? matchByContent(left, list, rules)
      : { unknown: left.map((row) => ({ row })), warnings: [] };
    for (const one of matches.unknown) unknown.push(one);
    warnings.push(...matches.warnings);
  }
  return { unknown: unknown.sort((a, b) => a.row - b.row), warnings };
}

/** Whether the log has a phone column, and a text or time column. */
export function canMatchByContent(log: { has(role: "phone" | "text" | "time"): boolean }): boolean {
  return log.has("phone") && (log.has("text") || log.has("time"));
}

function keylessText(count: number, total: number, { received }: MatchRules): string {
  const keys = (["id", "number"] as const).filter((role) => received.has(role)).join(" and no ");
  const rest = canMatchByContent(received) ? "their content decides" : "they match no event";
  return `${formatCount(count)} of ${countOf(total, "row")} have no ${keys}: ${rest}`;
}

/** An index that also finds the event that a row names when that event is not compared; -1 when there is none. */
type NamingIndex = KeyIndex & { readonly named: (row: number) => number };

function idIndex({ received, matches: { events }, types }: MatchRules): NamingIndex {
  const named = (row: number): number => events.withKey(received.id(row) ?? "") ?? -1;
  const first = (row: number): number => {
    const event = named(row);
    return event !== -1 && types.has(events.type(event)) ? event : -1;
  };
  return { hasKey: (row) => received.id(row) !== undefined, first, next: () => -1, named };
}

function numberIndex({ received, matches: { events }, list }: MatchRules): NamingIndex {
  const index = new EventsByNumber(list, events);
  let all: EventsByNumber | undefined;
  /** The first event of the row's type, from `from` on. */
  const ofType = (from: number, row: number): number => {
    const type = received.type(row);
    let event = from;
    while (event !== -1 && type !== undefined && events.type(event) !== type) event = index.next(event);
    return event;
  };
  return {
    hasKey: (row) => received.number(row) !== undefined,
    first: (row) => ofType(index.first(received.number(row) ?? NaN), row),
    next: (event, row) => ofType(index.next(event), row),
    named(row) {
      all ??= new EventsByNumber(
        Array.from({ length: events.count }, (_, event) => event),
        events,
      );
      return all.first(received.number(row) ?? NaN);
    },
  };
}

/** Why a row does not match the event that it names. */
function whyNot(event: number, { matches: { events }, types }: MatchRules): string | undefined {
  if (event === -1) return undefined;
  const type = events.type(event);
  if (!types.has(type))
    return `is event ${events.key(event)} of the type ${type}, which is not compared (--type ${[...types, type].join()})`;
  return events.isSent(event) ? undefined : `is event ${events.key(event)}, which was never written to the receiver`;
}
