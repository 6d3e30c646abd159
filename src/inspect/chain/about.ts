import { eventId } from "../../measure/index.js";
import { type LifeSubject, messageText } from "../../report/index.js";
import type { RecordedAttempt, RecordedMessage, RecordingReader, TracedEvent } from "../../store/index.js";
import { formField } from "../../wire/index.js";

/** A handset and the person's number; a chain without a person has no number. */
export interface ChainEnd {
  readonly channel: number;
  readonly phone: string | undefined;
}

/** The subject of a chain scenario: what the user asked for, and what belongs to it. */
export interface ChainAbout {
  /** `event 3/17 (mo_sms)`. */
  readonly title: string;
  /**
   * The pairs of a handset and a person that the chain touches; the pair of the requested event or message is first.
   */
  readonly ends: readonly [ChainEnd, ...ChainEnd[]];
  /** The requested events, in the order of time. */
  readonly events: readonly TracedEvent[];
  /** The requested message. */
  readonly message: RecordedMessage | undefined;
  /** The messages of the chain: the requested one, earlier ones of its broadcast, and the answers to the events. */
  readonly messages: readonly RecordedMessage[];
  /** Instant of the chain's last step. */
  readonly atMs: number;
}

/** Most earlier messages of the same broadcast that the scenario includes. */
const SIBLINGS_MAX = 50;

/** Placeholder for the text of a message that was deleted, or whose contact was. */
const DELETED_TEXT = "(deleted text)";

/** Collects the handsets, people, events and messages of the chain that leads to a subject. */
export function aboutOf(reader: RecordingReader, subject: LifeSubject): ChainAbout {
  const lookup = reader.lookup();
  const withText = (one: RecordedMessage): RecordedMessage => ({
    ...one,
    text: messageText(lookup, one) ?? DELETED_TEXT,
  });
  const message = subject.kind === "outgoing" ? withText(subject.message) : undefined;
  const events = eventsOf(reader, subject);
  const answers = events.flatMap(({ channel, number }) => lookup.repliesOf(channel, number)).map(withText);
  const siblings =
    message === undefined || message.broadcast === null
      ? []
      : lookup.messagesBefore(message, SIBLINGS_MAX).map(withText);
  const messages = [...siblings, ...(message === undefined ? [] : [message]), ...answers];
  const ends = [...(message === undefined ? [] : [message]), ...events.map(endOf), ...messages].map(
    ({ channel, phone }) => ({ channel, phone }),
  );
  const [first = { channel: 0, phone: undefined }, ...others] = new Map(
    ends.map((end) => [`${end.channel} ${end.phone}`, end]),
  ).values();
  return {
    title: message === undefined ? titleOf(subject) : `message ${message.id}`,
    ends: [first, ...others],
    events,
    message,
    messages: [...new Map(messages.map((one) => [one.id, one])).values()],
    atMs: Math.max(
      ...events.map(({ atMs }) => atMs),
      ...attemptsOf(reader, events).map(({ effectAtMs }) => effectAtMs),
      ...(message === undefined ? [] : [message.createdAtMs, message.modifiedAtMs, ...lookup.hearingsOf(message.id)]),
      ...(message === undefined ? [] : lookup.lossesOf(message.id).map(({ atMs }) => atMs)),
    ),
  };
}

function eventsOf(reader: RecordingReader, subject: LifeSubject): TracedEvent[] {
  if (subject.kind === "alone") return [subject.asked];
  if (subject.kind === "incoming") return [subject.first, ...subject.copies];
  const { id, replyTo } = subject.message;
  const lookup = reader.lookup();
  const cause = replyTo === null ? undefined : lookup.event(replyTo.channel, replyTo.event);
  return [...(cause === undefined ? [] : [cause]), ...lookup.outcomesOf(id)];
}

/** The delivery attempts of these events. */
export function attemptsOf(reader: RecordingReader, events: readonly TracedEvent[]): RecordedAttempt[] {
  const lookup = reader.lookup();
  return events.flatMap(({ channel, number }) => {
    const byHand = lookup.triesByHand(channel, number);
    return reader.attemptsOf(channel, number).filter((attempt) => !byHand.includes(attempt.try));
  });
}

function endOf({ channel, body }: TracedEvent): ChainEnd {
  return { channel, phone: formField(body, "phone") };
}

function titleOf({ asked }: LifeSubject): string {
  return asked === undefined ? "" : `event ${eventId(asked)} (${asked.type})`;
}
