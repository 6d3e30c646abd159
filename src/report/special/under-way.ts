import { type BreakingEvent, eventId, type EventName, type Outage } from "../../measure/index.js";
import type { RecordingReader } from "../../store/index.js";
import { listText } from "../findings/index.js";
import { type SpecialEvent, specialEvents } from "./special-events.js";

/** Most outages, and most events of each, that are examined: each outage takes two passes over the recording. */
const OUTAGES_MAX = 3;
const EVENTS_MAX = 5;

/**
 * What was special about the events that were in flight when a receiver went away, as predicates that no earlier event
 * had. Reads the recording only if there are such events.
 */
export function specialUnderWay(
  recording: RecordingReader,
  found: { readonly outages: readonly Pick<Outage, "underWay">[]; readonly breaking: readonly BreakingEvent[] },
): (event: EventName) => readonly string[] {
  const all = found.outages.map(({ underWay }) => underWay).filter((underWay) => underWay.length > 0);
  // The first ones, and the last, which may be the receiver's death.
  const chosen = all.filter((_, index) => index < OUTAGES_MAX || index === all.length - 1);
  const special = new Map<string, SpecialEvent>();
  for (const events of [...chosen, found.breaking]) {
    const unknown = events.slice(0, EVENTS_MAX).filter((event) => !special.has(eventId(event)));
    for (const [id, one] of specialEvents(recording, unknown)) special.set(id, one);
  }
  return (event) =>
    (special.get(eventId(event))?.facts ?? []).filter(({ before }) => before === 0).map(({ text }) => text);
}

/**
 * A sentence about what was special about an event; undefined when nothing was found.
 *
 * @param id - `3/17`
 */
export function specialSentence(id: string, { type, compared, facts }: SpecialEvent): string | undefined {
  if (facts.length === 0) return undefined;
  const traits = facts.map(({ text, before }) => (before === 0 ? text : `${text} (as ${before} of them)`));
  if (compared === 0) return `Event ${id} ${listText(traits)}.`;
  const others = compared === 1 ? `the ${type} event that was` : `the ${compared} ${type} events that were`;
  return `Compared with ${others} answered before, event ${id} ${listText(traits)}.`;
}
