import { eventId, eventKey, type EventName } from "../../measure/index.js";
import type { RecordingReader } from "../../store/index.js";
import { copyCauses, parseForm, parseTimestamp } from "../../wire/index.js";
import { FieldValueCounts } from "./field-values.js";
import { type EventFields, TraitFinder } from "./traits.js";

/** What is special about an event, compared with the events of its type that were answered before. */
export interface SpecialEvent {
  readonly type: string;
  /** How many events it was compared with. */
  readonly compared: number;
  /** Special traits, the rarest first. `before`: how many of the compared events have the trait, too. */
  readonly facts: readonly { readonly text: string; readonly before: number }[];
}

type SpecialRow = ReturnType<RecordingReader["eventsOf"]>[number];

/** A trait is special if at most this share of the compared events has it… */
const RARE_SHARE = 0.02;
/** …and at least this many events were compared. */
const COMPARED_LEAST = 10;

/** Events that are compared: reading them takes some seconds. */
const COMPARED_MAX = 300_000;

/**
 * Compares events with all events of their types that the receiver had answered before their first attempt without an
 * answer. Reads the recording twice.
 *
 * @returns by id (`3/17`); events that are not in the recording are absent
 */
export function specialEvents(recording: RecordingReader, wanted: readonly EventName[]): Map<string, SpecialEvent> {
  const events = recording.eventsOf(wanted);
  if (events.length === 0) return new Map();
  const answered = answeredBefore(recording, wanted);
  const histories = new Map(events.map(({ type }) => [type, new TypeHistory()]));
  const asked = new Map<string, Asked>();
  const sent = new SentMessages();
  const ids = new Set(events.map(eventId));
  let compared = 0;
  for (const event of recording.eventRows()) {
    const history = histories.get(event.type);
    const isAccepted = answered.get(eventKey(event));
    const isAsked = ids.has(eventId(event));
    if (history !== undefined && (isAsked || (isAccepted !== undefined && compared < COMPARED_MAX))) {
      const fields = fieldsOf(event, sent);
      if (isAsked) asked.set(eventId(event), { fields, own: history.keysOf(fields) });
      else {
        history.add(fields);
        compared++;
      }
    }
    if (event.type === "mt_sent") sent.add(event, { isAccepted: isAccepted === true });
  }
  return new Map([...asked].map(([id, one]) => [id, specialOf(one, histories.get(one.fields.type))]));
}

/** An event whose special traits are requested. */
interface Asked {
  readonly fields: EventFields;
  /** Its traits in comparison with the events made before it. */
  readonly own: ReadonlySet<string>;
}

function specialOf({ fields, own }: Asked, history: TypeHistory = new TypeHistory()): SpecialEvent {
  const { type, copy, missingSent } = fields;
  const { compared } = history;
  if (compared === 0) {
    const first = `is the first ${type} that came`;
    const facts = [first, missingSent, copy].flatMap((text) => (text === undefined ? [] : [{ text, before: 0 }]));
    return { type, compared, facts };
  }
  return { type, compared, facts: history.rareTraitsOf(fields, own) };
}

/** The events of one type that were answered. */
class TypeHistory {
  compared = 0;
  readonly #finder = new TraitFinder();
  readonly #values = new FieldValueCounts();
  readonly #counts = new Map<string, number>();

  add(event: EventFields): void {
    for (const { key } of this.#traitsOf(event)) this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
    this.#finder.remember(event);
    this.#values.add(event.fields);
    this.compared++;
  }

  keysOf(event: EventFields): Set<string> {
    return new Set(this.#finder.traitsOf(event).map(({ key }) => key));
  }

  /**
   * @param own - result of `keysOf` at the instant when the event was made. Later events must not count: concurrent
   * requests are answered in any order.
   */
  rareTraitsOf(event: EventFields, own: ReadonlySet<string>): SpecialEvent["facts"] {
    const isRare = (before: number): boolean =>
      before === 0 ? this.compared >= COMPARED_LEAST : before <= RARE_SHARE * this.compared;
    const traits = this.#finder.traitsOf(event).filter(({ key }) => own.has(key));
    return [...traits, ...this.#values.traitsOf(event.fields)]
      .map(({ key, text }) => ({ text, before: this.#counts.get(key) ?? 0 }))
      .filter(({ before }) => isRare(before))
      .toSorted((a, b) => a.before - b.before);
  }

  #traitsOf(event: EventFields): ReturnType<TraitFinder["traitsOf"]> {
    return [...this.#finder.traitsOf(event), ...this.#values.traitsOf(event.fields)];
  }
}

/** The `mt_sent` events so far, by the message that they are about. */
class SentMessages {
  /** By message: null when its `mt_sent` was accepted, else the id of its first `mt_sent`. */
  readonly #events = new Map<number, string | null>();

  add(event: SpecialRow, { isAccepted }: { readonly isAccepted: boolean }): void {
    if (event.subject === null) return;
    if (isAccepted) this.#events.set(event.subject, null);
    else if (!this.#events.has(event.subject)) this.#events.set(event.subject, eventId(event));
  }

  /** A predicate about the `mt_sent` of a delivered message that was not accepted before; undefined when it was. */
  missing({ type, subject }: SpecialRow): string | undefined {
    if (type !== "mt_dlvd" || subject === null) return undefined;
    const id = this.#events.get(subject);
    if (id === null) return undefined;
    return id === undefined ? "came before its mt_sent" : `came before its mt_sent ${id} was accepted`;
  }
}

function fieldsOf(event: SpecialRow, sent: SentMessages): EventFields {
  const fields = new Map(parseForm(event.body));
  const { channel, type, copy } = event;
  return {
    channel,
    type,
    fields,
    timeMs: parseTimestamp(fields.get("time") ?? fields.get("occurred_on") ?? "") ?? undefined,
    copy:
      copy === null ? undefined : `is a copy of ${eventId({ channel, number: copy.of })}, as ${copyCauses[copy.cause]}`,
    missingSent: sent.missing(event),
  };
}

/**
 * The events that were answered before the first unanswered attempt at one of the wanted events, with whether they
 * were accepted.
 */
function answeredBefore(recording: RecordingReader, wanted: readonly EventName[]): Map<number, boolean> {
  const keys = new Set(wanted.map(eventKey));
  const answered = new Map<number, boolean>();
  for (const attempt of recording.attemptMeasures()) {
    if (attempt.status !== null) answered.set(eventKey(attempt), attempt.outcome === "accepted");
    else if (keys.has(eventKey(attempt))) break;
  }
  return answered;
}
