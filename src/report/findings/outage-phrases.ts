import { eventId, type EventName, type Outage, type UnderWay } from "../../measure/index.js";
import { countOf, formatCount } from "../number-format.js";
import { clockText, listText } from "./phrases.js";

/** What was special about an event, as predicates such as `came before its mt_sent`, the rarest first. */
export type SpecialOf = (event: EventName) => readonly string[];

/** Most events in flight, and most outages, that one sentence names. */
const NAMED_MAX = 3;

/** An event with its special trait: `mt_dlvd 3/17 (came before its mt_sent)`. */
export function eventText(event: EventName & Pick<UnderWay, "type">, specialOf: SpecialOf): string {
  const [special] = specialOf(event);
  return `${event.type} ${eventId(event)}${special === undefined ? "" : ` (${special})`}`;
}

/**
 * The events under way at the begin of an outage: `mt_dlvd 3/17 (came before its mt_sent), mo_sms 5/2 and 6 more`. If the
 * receiver had read some of them, only those are named.
 */
export function underWayText({ underWay, underWayCount }: Outage, specialOf: SpecialOf): string {
  const read = underWay.filter(({ isRead }) => isRead);
  const suspects = read.length === 0 ? underWay : read;
  const named = suspects.slice(0, NAMED_MAX).map((event) => eventText(event, specialOf));
  const more = underWayCount - named.length;
  if (more === 0) return listText(named);
  const isUnread = named.length === read.length;
  return `${named.join(", ")} and ${formatCount(more)} more${isUnread ? ", which it had probably not read" : ""}`;
}

/** Events that were under way at several outages. */
export interface RepeatedEvents {
  /** The events in flight at the most outages; among equals, those that the receiver had read most often. */
  readonly events: readonly UnderWay[];
  readonly times: number;
}

/** The events that were in flight at the most outages, if that is at least two. */
export function repeatedEvents(outages: readonly Outage[]): RepeatedEvents | undefined {
  const found = new Map<string, { readonly event: UnderWay; times: number; reads: number }>();
  for (const { underWay } of outages) {
    for (const event of underWay) {
      const known = found.get(eventId(event)) ?? { event, times: 0, reads: 0 };
      known.times++;
      if (event.isRead) known.reads++;
      found.set(eventId(event), known);
    }
  }
  const all = [...found.values()].toSorted((a, b) => b.times - a.times || b.reads - a.reads);
  const [first] = all;
  if (first === undefined || first.times < 2) return undefined;
  const alike = all.filter(({ times, reads }) => times === first.times && reads === first.reads);
  return { events: alike.map(({ event }) => event), times: first.times };
}

/** `mt_dlvd 3/17 (came before its mt_sent) was under way each time`. */
export function repeatedText(
  { events, times }: RepeatedEvents,
  outages: readonly Outage[],
  specialOf: SpecialOf,
): string {
  const named = events.slice(0, NAMED_MAX).map((event) => eventText(event, specialOf));
  const more = events.length - named.length;
  const all = more > 0 ? `${named.join(", ")} and ${formatCount(more)} more` : listText(named);
  const often = times === outages.length ? "each time" : `${times} of ${outages.length} times`;
  return `${all} ${events.length === 1 ? "was" : "were"} under way ${often}`;
}

/** What was under way at the begin of each outage: `mo_sms 3/17 at 0:01:33, mt_dlvd 4/2 at 0:10:05`. */
export function eachUnderWayText(outages: readonly Outage[], beginsMs: number, specialOf: SpecialOf): string {
  const named = outages
    .filter(({ underWay }) => underWay.length > 0)
    .slice(0, NAMED_MAX)
    .map((outage) => `${underWayText(outage, specialOf)} at ${clockText(outage.fromMs - beginsMs)}`);
  return listText(named);
}

/** How attempts of an outage ended: `connections closed and reset, then refused`. */
export function connectionsText({ errors }: Outage): string {
  const has = (codes: readonly string[]): boolean => codes.some((code) => (errors[code] ?? 0) > 0);
  const broken = listText([
    ...(has(["incomplete-answer", "no-answer"]) ? ["closed"] : []),
    ...(has(["ECONNRESET", "ECONNABORTED", "EPIPE"]) ? ["reset"] : []),
  ]);
  const absent = [
    ...(has(["ECONNREFUSED"]) ? ["refused"] : []),
    ...(has(["ENOTFOUND", "EAI_AGAIN"]) ? ["without an address"] : []),
    ...(has(["EHOSTUNREACH", "EHOSTDOWN", "ENETUNREACH"]) ? ["without a route"] : []),
  ];
  const ends = [...(broken === "" ? [] : [broken]), ...absent];
  return ends.length === 0 ? "" : `connections ${ends.join(", then ")}`;
}

/** Attempts of an outage without an answer: `14 attempts since then had no answer in time`. */
export function unansweredText({ errors }: Outage): string {
  const { ETIMEDOUT: late = 0, ...broken } = errors;
  const lost = Object.values(broken).reduce((sum, count) => sum + count, 0);
  if (lost === 0) return `${countOf(late, "attempt")} since then had no answer in time`;
  const others = `${countOf(lost, "attempt")} since then had the connection closed or reset`;
  return late === 0 ? others : `${others}, ${formatCount(late)} had no answer in time`;
}
