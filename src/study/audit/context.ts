import { createHash } from "node:crypto";
import {
  type CallEventType,
  encodeEvent,
  type EventType,
  isKnownEvent,
  type KnownEvent,
  type Spelling,
} from "../../wire/index.js";
import { answerWords, type AuditClient, type Exchange, isAccepted, type PostChanges, replyText } from "./client.js";
import { KnownWords } from "./words.js";
import { type EffectRecord, type EffectsReader, hasText, instantOf, markerOf, recordsOf } from "./effects.js";

/** A person of one trial, whom no other trial knows. */
export interface Person {
  /** E.164. */
  readonly phone: string;
}

/** Values of an event that differ from the ordinary ones. */
export type EventChanges = Readonly<Record<string, unknown>>;

/** How the receiver treats the ordinary event of a type. */
export interface Control {
  readonly exchange: Exchange;
  readonly isAccepted: boolean;
  /** Whether the person shows in the effects. */
  readonly isKept: boolean;
  /** Whether a record has the exact text. */
  readonly keepsText: boolean;
  /** Where a record has the exact time. */
  readonly timePlaces: ReadonlySet<string>;
  /** Whether the reply repeats the whole text. */
  readonly echoes: boolean;
}

/** The ordinary text: long enough that nobody takes it for a keyword, with nothing special in it. */
export const ORDINARY_TEXT =
  "Good morning, we have received 12 boxes and 3 are damaged, please tell Maria that the truck comes on Friday.";

/** The channel of all trials, as `handset post` names it. */
export const RELAYER = 1;
export const RELAYER_PHONE = "+12065550110";

/** Another channel, and its number. */
export const SECOND_RELAYER = 2;
export const SECOND_PHONE = "+12065550111";

/** What every trial works with: persons, ids, events, and what the receiver does with ordinary ones. */
export class AuditContext {
  readonly client: AuditClient;
  readonly effects: EffectsReader | undefined;
  /** Whether replies count as effects. */
  readonly judgesReplies: boolean;
  /** Virtual now of the ordinary events: milliseconds since 1970. */
  readonly nowMs: number;
  readonly #prefix: number;
  spelling: Spelling = "both";
  /** Why the receiver's speed cannot be judged; undefined: it can. */
  busyReason: () => string | undefined = () => undefined;
  /** Words on which the receiver acts. */
  readonly words: KnownWords;
  readonly #onPerson: (phone: string) => void;
  #persons = 0;
  #ids: number;
  readonly #controls = new Map<string, Promise<Control>>();

  constructor(options: {
    readonly client: AuditClient;
    readonly effects: EffectsReader | undefined;
    readonly judgesReplies: boolean;
    readonly nowMs: number;
    /** Determines phones and ids: 0 <= seed < 1. */
    readonly seed: number;
    /** Texts that the receiver knows. */
    readonly texts: readonly string[];
    /** Called for each new person, before any event of theirs. */
    readonly onPerson?: (phone: string) => void;
  }) {
    this.#onPerson = options.onPerson ?? (() => undefined);
    this.words = new KnownWords(this, options.texts);
    this.client = options.client;
    this.effects = options.effects;
    this.judgesReplies = options.judgesReplies;
    this.nowMs = options.nowMs;
    this.#prefix = Math.floor(options.seed * 9000);
    // Within 31 bits, far from those of earlier audits of the same receiver.
    this.#ids = 1_100_000 + Math.floor(options.seed * 2_000_000) * 1000;
  }

  person(): Person {
    const number = this.#prefix * 1000 + this.#persons++;
    const phone = `+25078${String(number % 10_000_000).padStart(7, "0")}`;
    this.#onPerson(phone);
    return { phone };
  }

  id(): number {
    return ++this.#ids;
  }

  /** The body of an event: the ordinary one of its type, with changes. A change to `undefined` leaves a field out. */
  body(type: EventType, changes: EventChanges = {}, spelling: Spelling = this.spelling): string {
    const ordinary = { ...this.#ordinary(type), ...changes };
    const event = spelling === "historic" ? { ...historicFields(type, ordinary, this.nowMs), ...ordinary } : ordinary;
    return isKnownEvent(event) ? encodeEvent(event, { spelling, sampleStatus: true }) : "";
  }

  post(body: string, changes?: PostChanges): Promise<Exchange> {
    return this.client.post(body, changes);
  }

  /** The records of a person, when there are more than so far or after the time that an event may take. */
  async recordsFor(person: Person, more = 0): Promise<EffectRecord[]> {
    if (this.effects === undefined) return [];
    const markers = [markerOf(person.phone)];
    return recordsOf(await this.effects.readWhen((now) => recordsOf(now, markers).length > more), markers);
  }

  /** The records of a person in effects that no longer change. */
  async settledRecords(person: Person): Promise<EffectRecord[]> {
    return (await this.effects?.settledRecords([markerOf(person.phone)])) ?? [];
  }

  /** How the receiver treats the ordinary event of a type; asked once. */
  control(type: EventType): Promise<Control> {
    const asked = this.#controls.get(type) ?? this.askControl(type);
    this.#controls.set(type, asked);
    return asked;
  }

  /** Sends the ordinary event of a type for a new person. */
  async askControl(type: EventType): Promise<Control> {
    const person = this.person();
    const exchange = await this.post(this.body(type, { phone: person.phone }));
    const accepted = isAccepted(exchange);
    const records = accepted && type !== "alarm" ? await this.recordsFor(person) : [];
    const timePlaces = new Set(
      records.flatMap(({ place, leaves }) =>
        [...leaves].filter(([, value]) => isInstant(value, this.nowMs)).map(([leaf]) => `${place}${leaf}`),
      ),
    );
    return {
      exchange,
      isAccepted: accepted,
      isKept: records.length > 0,
      keepsText: hasText(records, ORDINARY_TEXT),
      timePlaces,
      echoes: replyText(exchange)?.includes(ORDINARY_TEXT) === true,
    };
  }

  #ordinary(type: EventType): KnownEvent {
    const phone = "+250780000000";
    const channel = { relayer: RELAYER, relayerPhone: RELAYER_PHONE };
    const time = this.nowMs;
    switch (type) {
      case "mo_sms":
        return {
          ...channel,
          event: type,
          sms: this.id(),
          phone,
          text: ORDINARY_TEXT,
          status: "D",
          direction: "I",
          time,
        };
      case "mt_sent":
      case "mt_dlvd":
      case "mt_fail": {
        const status = { mt_sent: "S", mt_dlvd: "D", mt_fail: "F" }[type];
        return { ...channel, event: type, sms: this.id(), phone, text: ORDINARY_TEXT, status, direction: "O", time };
      }
      case "mo_miss":
      case "mt_miss":
      case "mo_call":
      case "mt_call":
        return { ...channel, event: type, call: this.id(), phone, time, duration: durationOf(type) };
      case "alarm":
        return {
          ...channel,
          event: type,
          powerLevel: 12,
          powerStatus: "DIS",
          powerSource: "BAT",
          networkType: "UMTS",
          pendingMessageCount: 4,
          retryMessageCount: 1,
          // An alarm's key is its time: each has one of its own.
          lastSeen: time - 31 * 60_000 - (this.id() % 1_000_000) * 1000,
        };
      case "flow":
        return {
          ...channel,
          event: type,
          phone,
          flow: 504,
          flowName: "Water survey",
          flowBaseLanguage: "eng",
          step: `5a7c1f0e-0000-4000-8000-${String(this.id()).padStart(12, "0")}`,
          values: [{ label: "Water Source", category: "Borehole", value: "2", text: "2 the borehole", time }],
        };
    }
  }
}

/** Fields that services of the historic spelling send in each event of a person, and in each of a flow. */
function historicFields(
  type: EventType,
  { phone, step, values }: Readonly<Record<string, unknown>>,
  nowMs: number,
): EventChanges {
  if (type === "alarm" || typeof phone !== "string") return {};
  const hash = createHash("sha1").update(phone).digest("hex").slice(0, 12);
  const uuid = (start: string): string => `${start}-0000-4000-8000-${hash}`;
  const contact = { contact: uuid("0c2b2a5e"), contactName: "Maria Example", urn: `tel:${phone}` };
  if (type !== "flow") return contact;
  const last = Array.isArray(values) ? (values.at(-1) as { readonly text?: unknown } | undefined) : undefined;
  const text = typeof last?.text === "string" ? last.text : "hello";
  const at = "2026-03-02T08:40:12.118204Z";
  const asked = { node: uuid("0a3f1f63"), arrived_on: at, left_on: at, text: "Which one?", type: "A", value: null };
  const answered = { ...asked, node: step, left_on: null, text, type: "R", value: text };
  return {
    ...contact,
    time: nowMs,
    run: Number.parseInt(hash.slice(0, 7), 16),
    text,
    flowUuid: uuid("a0c5f9d2"),
    steps: JSON.stringify([asked, answered]),
  };
}

function durationOf(type: CallEventType): number {
  return type === "mo_call" || type === "mt_call" ? 30 : 0;
}

/** Whether a leaf is an instant, to the second. */
export function isInstant(value: string | number | boolean | null, ms: number): boolean {
  const read = instantOf(value);
  return read !== undefined && Math.abs(read - ms) < 1000;
}

/** `an ordinary mo_miss is answered with status 404`: why a type cannot be tried. */
export function refusedText(type: string, { exchange }: Control): string {
  return `an ordinary ${type} is answered with ${answerWords(exchange)}`;
}
