import type { AnswerComparison, IgnoredParts } from "../report/index.js";
import type { RecordedEvent } from "../store/index.js";
import { formField } from "../wire/index.js";

/** What follows from a divergence: in a scenario, another answer leads to another day. */
export interface Consequences {
  /** Events of the first play only, and of the second only. */
  readonly onlyFirst: number;
  readonly onlySecond: number;
  /** Events of people who had been answered otherwise before, whose answers differ again. */
  readonly answers: number;
}

/** Two plays of one source. */
export interface Plays {
  /** In the order of virtual time. */
  readonly before: Iterable<RecordedEvent>;
  readonly after: Iterable<RecordedEvent>;
  /** Gets the pairs of events whose answers are compared. */
  readonly comparison: AnswerComparison;
  readonly ignored: IgnoredParts;
  /** Both plays sent the same events whatever was answered, so every difference stands for itself. */
  readonly isFixed: boolean;
}

/**
 * Compares the answers of two plays, event by event.
 *
 * In a scenario an answer changes what comes after it. Events are matched by what they tell (type, phone, person, text,
 * time), as their numbers shift. A person's first differing answer is a divergence; what differs for that person later
 * may follow from it, and is counted only.
 */
export function comparePlays({ before, after, comparison, ignored, isFixed }: Plays): Consequences {
  const partners = new Map<string, RecordedEvent[]>();
  const keyOf = isFixed ? fixedKey : (event: RecordedEvent): string => toldKey(event, ignored);
  for (const event of after) {
    const key = keyOf(event);
    const others = partners.get(key);
    if (others === undefined) partners.set(key, [event]);
    else others.push(event);
  }
  const diverged = new Set<string>();
  let [onlyFirst, answers] = [0, 0];
  for (const event of before) {
    const partner = partners.get(keyOf(event))?.shift();
    if (partner === undefined) {
      onlyFirst++;
      continue;
    }
    const person = formField(event.body, "phone") ?? "";
    const isConsequence = !isFixed && diverged.has(person);
    if (isConsequence) {
      if (comparison.differs(event, partner.attempts)) answers++;
    } else if (comparison.compareEvent(event, partner.attempts)) diverged.add(person);
  }
  const onlySecond = [...partners.values()].reduce((sum, { length }) => sum + length, 0);
  return { onlyFirst, onlySecond, answers };
}

function fixedKey({ channel, number }: RecordedEvent): string {
  return `${channel}/${number}`;
}

/** What an event tells, without ids. A text of the service has the time of its sync, which may shift. */
function toldKey({ type, channel, body, atMs }: RecordedEvent, ignored: IgnoredParts): string {
  const [phone, text, time] = ["phone", "text", "time"].map((key) => formField(body, key) ?? "");
  const isOwn = type.startsWith("mt_") && type !== "mt_call" && type !== "mt_miss";
  return JSON.stringify([type, channel, phone, ignored.mask(text ?? ""), isOwn ? "" : time === "" ? atMs : time]);
}
