import { copyCauses, decodeEvent, lossCauses, PARTS_DISORDERED } from "../../wire/index.js";
import type { TracedEvent, Lookup, RecordedAttempt, RecordedMessage, RecordingReader } from "../../store/index.js";
import { eventId, type Outage, troubleOfCode } from "../../measure/index.js";
import { specialEvents } from "../special/special-events.js";
import { specialSentence } from "../special/under-way.js";
import { plain } from "../terminal-text.js";
import { noAnswerText } from "./ending-text.js";
import { headlineOf, type OpenTry } from "./headline.js";
import { findSubject, type LifeSubject } from "./subject.js";
import { messageText } from "./message-text.js";
import { delayText } from "./delay-text.js";
import type { LifeEntry } from "./life-entry.js";
import { troubleEntries } from "./trouble-entries.js";

/** Everything that a recording contains about one event or message, in order of virtual time. */
export interface Life {
  /** The requested id in its normal form: `3/17`, or the number of a message. */
  readonly id: string;
  /** The event or message in one line: `mo_sms "12 bags" from +250782000002 to farm/0`. */
  readonly about: string;
  /** What a reader should know first, each a sentence. */
  readonly headline: readonly string[];
  readonly startsAtMs: number;
  readonly entries: readonly LifeEntry[];
}

/** Finds the selector of the person with a phone number: `workers/2`. */
export type NameOfPhone = (phone: string) => string | undefined;

/** Facts that are not in a recording, or that need a pass over all of it. */
export interface LifeOptions {
  /** For a lab that still plays: the attempt that is in flight or planned. */
  readonly openTryOf?: (event: TracedEvent) => OpenTry | undefined;
  /** The receiver's outages; their instants count from the start of the run. */
  readonly outages?: readonly Outage[];
}

/**
 * Finds the event, message or call with an id, and collects its life.
 *
 * @param id - `3/17`, or the number of a message or a call
 * @throws UnknownIdError when nothing has this id
 */
export function lifeOf(
  recording: RecordingReader,
  id: string,
  names: NameOfPhone = () => undefined,
  { openTryOf = () => undefined, outages }: LifeOptions = {},
): Life {
  const subject = findSubject(recording, id);
  const teller = new LifeBuilder(recording, names);
  const entries = teller.entriesOf(subject).sort((a, b) => a.atMs - b.atMs);
  const own = subject.asked === undefined ? id.trim() : eventId(subject.asked);
  return {
    id: own,
    about: teller.about(subject),
    headline: headlineOf(subject, {
      lossesOf: (message) => recording.lookup().lossesOf(message),
      attemptsOf: ({ channel, number }) => recording.attemptsOf(channel, number),
      triesByHand: ({ channel, number }) => recording.lookup().triesByHand(channel, number),
      forwardsOf: (channel) => recording.lookup().channel(channel)?.forwards,
      openTryOf,
      gone:
        outages === undefined ? undefined : { outages, specialSentence: (event) => sentenceAbout(recording, event) },
      ignoredBecause: ({ channel, number }) => misunderstanding(recording.lookup().answersTo(channel, number).at(-1)),
    }),
    startsAtMs: recording.meta().startsAtMs,
    entries,
  };
}

function sentenceAbout(recording: RecordingReader, event: TracedEvent): string | undefined {
  const id = eventId(event);
  const special = specialEvents(recording, [event]).get(id);
  return special === undefined ? undefined : specialSentence(id, special);
}

class LifeBuilder {
  readonly #recording: RecordingReader;
  readonly #lives: Lookup;
  readonly #names: NameOfPhone;

  constructor(recording: RecordingReader, names: NameOfPhone) {
    this.#recording = recording;
    this.#lives = recording.lookup();
    this.#names = names;
  }

  about(subject: LifeSubject): string {
    if (subject.kind === "outgoing") {
      const { message } = subject;
      const type = subject.asked === undefined ? "message" : `${subject.asked.type} of message`;
      return `${type} ${message.id} ${this.#words(message)} from ${this.#channel(message.channel)} to ${this.#person(message.phone)}`;
    }
    const { asked } = subject;
    const { phone, text } = contentOf(asked);
    const words = text === undefined ? "" : ` ${quoted(text)}`;
    const direction = asked.type.startsWith("mt_") ? "to" : "from";
    const who = phone === undefined ? "" : ` ${direction} ${this.#person(phone)}`;
    return `${asked.type}${words}${who} at ${this.#channel(asked.channel)}`;
  }

  entriesOf(subject: LifeSubject): LifeEntry[] {
    switch (subject.kind) {
      case "incoming":
        return [
          ...this.#beginning(subject.first),
          ...[subject.first, ...subject.copies].flatMap((event) => [
            ...this.#eventEntries(event),
            ...this.#sendingsBack(event),
          ]),
        ];
      case "outgoing":
        return [...this.#cause(subject.message), ...this.#messageEntries(subject.message)];
      case "alone":
        return this.#eventEntries(subject.asked);
    }
    subject satisfies never;
  }

  /** The first entries: a person sends a text or calls, and the handset receives it. */
  #beginning(event: TracedEvent): LifeEntry[] {
    const { beganAtMs, phoneAtMs } = event;
    const { phone = "somebody" } = contentOf(event);
    const entries: LifeEntry[] = [];
    const person = this.#person(phone);
    const channel = this.#channel(event.channel);
    const isText = event.type === "mo_sms";
    if (beganAtMs !== null) {
      const text = isText
        ? `${person} sends the text to ${channel}`
        : `a call between ${person} and ${channel} begins (${event.type})`;
      entries.push({ atMs: beganAtMs, kind: isText ? "text" : "call", text, channel: event.channel, phone });
    }
    if (phoneAtMs !== null) {
      const text = isText ? `${channel} receives the text` : `${channel} logs the call`;
      entries.push({ atMs: phoneAtMs, kind: "received", text, channel: event.channel });
    }
    return entries;
  }

  /** Fault `offers-incoming` of the service: the instants at which the text reached its own sender. */
  #sendingsBack({ type, subject, body, channel }: TracedEvent): LifeEntry[] {
    if (type !== "mo_sms" || subject === null) return [];
    const { phone = "" } = contentOf({ body });
    const text = `${this.#person(phone)} gets the text back: the service offered it to the phone as a message`;
    return this.#lives.hearingsOf(subject).map((atMs) => ({ atMs, kind: "heard", text, channel, ...whom(phone) }));
  }

  /** The event that an outgoing message answers. */
  #cause(message: RecordedMessage): LifeEntry[] {
    const { replyTo, origin } = message;
    if (replyTo === null) return [];
    const event = this.#lives.event(replyTo.channel, replyTo.event);
    if (event === undefined) return [];
    const { phone, text } = contentOf(event);
    const words = text === undefined ? "" : ` ${quoted(text)}`;
    const from = phone === undefined ? "" : ` from ${this.#person(phone)}`;
    const what = `event ${eventId(event)} (${event.type}${words}${from}) is made: its answer asks for this message`;
    return [
      { atMs: event.atMs, kind: origin, text: what, event: eventId(event), channel: event.channel, ...whom(phone) },
    ];
  }

  /** The delays of an event, the event, its attempts, and the effects of the answer. */
  #eventEntries(event: TracedEvent): LifeEntry[] {
    const key = eventId(event);
    const entries: LifeEntry[] = this.#delays(event);
    const { copy, subject, type } = event;
    const about = subject === null ? "" : `stores ${subjectWord(type)} ${subject} and `;
    const outcome = outcomeWords.get(type);
    const makes = outcome === undefined ? about : `learns that the message ${outcome}: `;
    const text =
      copy === null
        ? `the service ${makes}makes event ${key} (${type})`
        : `the service ${makes}makes event ${key} (${type}), a copy of ${event.channel}/${copy.of}: ${copyCauses[copy.cause]}`;
    entries.push({
      atMs: event.atMs,
      kind: "event",
      text,
      event: key,
      channel: event.channel,
      ...whom(contentOf(event).phone),
      ...(copy !== null && { copyOf: `${event.channel}/${copy.of}`, copyCause: copy.cause }),
    });
    const byHand = this.#lives.triesByHand(event.channel, event.number);
    entries.push(...troubleEntries(this.#recording.troublesOf(event)));
    for (const attempt of this.#recording.attemptsOf(event.channel, event.number)) {
      entries.push(attemptEntry(attempt, { isByHand: byHand.includes(attempt.try) }));
    }
    for (const answer of this.#lives.answersTo(event.channel, event.number)) {
      if (answer.kind === "valid") continue;
      const why = plain(answer.detail ?? answer.reason ?? "");
      entries.push({ atMs: answer.atMs, kind: "reply", text: `the answer is ignored: ${why}`, event: key });
    }
    for (const message of this.#lives.repliesOf(event.channel, event.number)) {
      entries.push(...this.#messageEntries(message));
    }
    return entries;
  }

  #delays(event: TracedEvent): LifeEntry[] {
    return event.delays.map((delay) => ({
      // A single failed sync is placed at the instant at which the phone learns of it.
      atMs: delay.kind === "sync-failed" && delay.times === 1 ? delay.untilMs : delay.fromMs,
      forMs: delay.untilMs - delay.fromMs,
      kind: delay.kind,
      text: delayText(delay),
      event: eventId(event),
      channel: event.channel,
    }));
  }

  /** An outgoing message is queued, taken over by the phone, sent, delivered and read. */
  #messageEntries(message: RecordedMessage): LifeEntry[] {
    const { id, origin, createdAtMs, replyTo } = message;
    const who = `${this.#words(message)} to ${this.#person(message.phone)} through ${this.#channel(message.channel)}`;
    const why =
      replyTo === null ? (originNames[origin] ?? origin) : `the answer to ${replyTo.channel}/${replyTo.event}`;
    const { channel, phone } = message;
    const about = { message: id, channel, phone };
    const entries: LifeEntry[] = [
      { atMs: createdAtMs, kind: "queued", text: `${why} asks for message ${id}: ${who}`, ...about },
    ];
    const events = this.#lives.outcomesOf(id);
    const home = this.#channel(channel);
    const taker = events.length === 0 ? home : this.#takerOf(message);
    for (const event of events) {
      if (event.beganAtMs !== null && event.copy === null) {
        const text =
          taker === home
            ? `${home} takes message ${id} over`
            : `${taker} takes message ${id} over, which is of ${home}`;
        entries.push({ atMs: event.beganAtMs, kind: "taken", text, ...about });
      }
      entries.push(...this.#eventEntries(event));
    }
    for (const atMs of this.#lives.hearingsOf(id)) {
      const notes = this.#lives.notesAt(atMs, { channel, kind: PARTS_DISORDERED });
      const note = notes.find((one) => one.startsWith(`message ${id} `));
      const how = note === undefined ? "" : `: ${note}`;
      entries.push({ atMs, kind: "heard", text: `${this.#person(message.phone)} reads message ${id}${how}`, ...about });
    }
    for (const { atMs, cause } of this.#lives.lossesOf(id)) {
      entries.push({ atMs, kind: "lost", text: `message ${id} is lost: ${lossCauses[cause]}`, ...about });
    }
    if (message.status === "F") {
      const text = `message ${id} has failed for good`;
      entries.push({ atMs: message.modifiedAtMs, kind: "failed", text, ...about });
    }
    return entries;
  }

  /** The name of the handset that was offered the message: by fault `offers-to` of the service another than its own. */
  #takerOf({ id, channel }: RecordedMessage): string {
    for (const note of this.#recording.notes()) {
      if (note.kind === "misdirected" && note.text.startsWith(`message ${id} of `)) {
        return this.#channel(note.channel);
      }
    }
    return this.#channel(channel);
  }

  #words(message: RecordedMessage): string {
    const text = messageText(this.#lives, message);
    return text === undefined ? "(its text is deleted)" : quoted(text);
  }

  #channel(id: number): string {
    return this.#lives.channel(id)?.name ?? `channel ${id}`;
  }

  /** `workers/2 (+250782000002)`. */
  #person(phone: string): string {
    const name = this.#names(phone);
    return name === undefined ? plain(phone) : `${name} (${plain(phone)})`;
  }
}

const originNames: Readonly<Record<string, string>> = {
  story: "the story",
  traffic: "the scenario's traffic",
  hand: "an input by hand",
  api: "an API request",
};

/** Why an answer was not understood; undefined for an answer without a text, such as `{"status": "ok"}`. */
function misunderstanding(answer: ReturnType<Lookup["answersTo"]>[number] | undefined): string | undefined {
  if (answer?.kind !== "ignored" || answer.reason === "no-text") return undefined;
  return plain(answer.detail ?? answer.reason ?? "for an unknown reason");
}

/** What an event says about an outgoing message, as a predicate. */
const outcomeWords: ReadonlyMap<string, string> = new Map([
  ["mt_sent", "was sent"],
  ["mt_dlvd", "was delivered"],
  ["mt_fail", "failed for good"],
]);

function subjectWord(type: string): string {
  return type === "mo_sms" ? "message" : "call";
}

function contentOf({ body }: Pick<TracedEvent, "body">): { readonly phone?: string; readonly text?: string } {
  const { event } = decodeEvent(body);
  if ("pairs" in event) return {};
  const phone = "phone" in event ? event.phone : undefined;
  const text = "text" in event ? event.text : undefined;
  return { phone, text };
}

function whom(phone: string | undefined): { readonly phone?: string } {
  return phone === undefined ? {} : { phone };
}

/** Characters of a text that a sentence quotes. */
const QUOTED_MAX = 300;

function quoted(text: string): string {
  // Does not cut between the two halves of an emoji.
  const start = text.slice(0, QUOTED_MAX).replace(/[\uD800-\uDBFF]$/, "");
  return `"${plain(start)}${start.length < text.length ? "…" : ""}"`;
}

/** An attempt, placed at its virtual due time; its duration is wall time. */
function attemptEntry(attempt: RecordedAttempt, { isByHand }: { readonly isByHand: boolean }): LifeEntry {
  const { dueAtMs, status, outcome, isRepeat } = attempt;
  const repeat = isRepeat ? " (repeated by a resume: the run was cut off while it was in flight)" : "";
  return {
    atMs: dueAtMs,
    kind: "attempt",
    text: `try ${attempt.try} at the receiver${isByHand ? ", sent again by hand" : ""}${repeat}: ${answerText(attempt)}`,
    event: eventId(attempt),
    channel: attempt.channel,
    try: attempt.try,
    status,
    outcome,
    ...(isByHand && { isByHand }),
  };
}

function answerText({ status, error, outcome, durationMs }: RecordedAttempt): string {
  const span =
    durationMs < 1000 ? `${Number(durationMs.toFixed(1))} ms` : `${Number((durationMs / 1000).toFixed(1))} s`;
  if (status !== null) return `answered ${status} in ${span}, ${outcome}`;
  if (troubleOfCode(error) !== undefined) return `no answer: ${noAnswerText({ error, outcome })}`;
  if (outcome === "timeout") return `no answer within ${span}; the receiver may have got the event anyway`;
  return `no answer after ${span}: ${noAnswerText({ error, outcome })}`;
}
