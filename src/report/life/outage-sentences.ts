import { eventId, eventKey, type Outage } from "../../measure/index.js";
import type { RecordedAttempt, TracedEvent } from "../../store/index.js";
import { countOf } from "../number-format.js";

/** Facts about the receiver's outages, for the headline of an event that was in flight at one. */
export interface OutageSource {
  /** All outages of the run; instants count from its start. */
  readonly outages: readonly Outage[];
  /** A sentence about what was special about an event; undefined when nothing was found. */
  readonly specialSentence: (event: TracedEvent) => string | undefined;
}

/**
 * Sentences that say whether the receiver went away while this event was in flight, and what was special about the
 * event.
 */
export function outageSentences(
  asked: TracedEvent,
  attempts: readonly RecordedAttempt[],
  { outages, specialSentence }: OutageSource,
): string[] {
  const own = outages.filter(({ underWay }) => underWay.some((event) => eventKey(event) === eventKey(asked)));
  const broken = attempts.filter(({ outcome, sentWallMs }) => outcome === "connection" && sentWallMs !== null);
  const breaksEach = broken.length > 1 && broken.length === attempts.length;
  if (own.length === 0 && !breaksEach) return [];
  const gone = own.length === 0 ? [] : goneSentences(asked, own);
  const each = breaksEach && own.length < 2 ? [`The connection broke at each of its ${broken.length} tries.`] : [];
  const special = specialSentence(asked);
  return [...gone, ...each, ...(special === undefined ? [] : [special])];
}

function goneSentences(asked: TracedEvent, own: readonly Outage[]): string[] {
  const last = own.at(-1) as Outage;
  const key = eventId(asked);
  const event = last.underWay.find((one) => eventKey(one) === eventKey(asked));
  const others = last.underWayCount - 1;
  const verb = verbOf(last);
  const first =
    own.length === 1
      ? `The receiver ${verb} while event ${key} was under way`
      : `Event ${key} was under way at each of ${own.length} times at which the receiver went; the last time it ${verb}`;
  const company = others === 0 ? ", as the only one" : `, with ${countOf(others, "other event", "other events")}`;
  const hasRead = last.underWay.some(({ isRead }) => isRead);
  const read = event?.isRead === true ? " It had read the whole request." : " It had probably not read the request.";
  return [`${first}${company}.${hasRead ? read : ""}`];
}

function verbOf({ untilMs, isAbsent }: Outage): string {
  if (untilMs !== null) return "went away";
  return isAbsent ? "died" : "stopped answering";
}
