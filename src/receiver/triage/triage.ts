/*
 * The bundled receiver's application: the health line of a small clinic. People text who is ill, with what and since
 * when; it asks one question, then says how urgent it is, what to do, and when to come. Health workers report stock.
 * It talks English, French and Swahili. Simulated: its rules are no medical advice.
 */
import { type Phrases, phrases } from "./phrases.js";
import { type Count, understand, type Understood } from "./understand.js";
import { nextVisit } from "./visits.js";
import type { Symptom, TriageLanguage } from "./words.js";

/** An event of the service. */
export interface TriageEvent {
  /** `mo_sms` and `mo_miss` are answered; `mt_sent` says what else the service has written to the person. */
  readonly type: string;
  readonly phone: string;
  readonly text: string;
  /** Milliseconds since 1970. */
  readonly atMs: number;
  /** The idempotency key; null: it has none. */
  readonly key: string | null;
}

/** Most phone numbers that are remembered; the one that was silent for longest is forgotten. */
const PEOPLE_MAX = 20_000;

/** How many texts in a row get guidance: two machines must not talk to each other for ever. */
const GUIDANCE_MAX = 3;

/** How long a text that is not understood is taken for the answer to somebody else's question. */
const LEFT_TO_OTHERS_MS = 3_600_000;

/** How many own replies are remembered for each person: those that their phone's handset may not have sent yet. */
const REPLIES_KEPT = 3;

/** Counts below this are low. */
const LOW_BELOW = 10;

/** What is remembered of a phone number. */
interface Conversation {
  language: TriageLanguage;
  hasStopped: boolean;
  /** The illness that the open question is about. */
  open: { readonly symptom: Symptom; readonly isChild: boolean; readonly days: number } | undefined;
  /** What the service has asked since the last reply: a flow its own question, a campaign about a visit. */
  asked: { readonly about: "visit" | "other"; readonly atMs: number } | undefined;
  /** The last own replies. */
  said: readonly string[];
  /** When the last of them was given, milliseconds since 1970. */
  saidAtMs: number;
  /** Texts in a row that were not understood. */
  unclear: number;
  /** The last event and its answer: a repeated delivery gets the same answer. */
  last: { readonly key: string; readonly reply: string | undefined } | undefined;
}

/** The application. The same events in the same order give the same replies. */
export class Triage {
  readonly #people = new Map<string, Conversation>();

  /** The number of remembered phone numbers. */
  get size(): number {
    return this.#people.size;
  }

  /** The text to send to the event's phone; undefined: none. */
  reply({ type, phone, text, atMs, key }: TriageEvent): string | undefined {
    // Other events report what was sent: an answer to them would be a loop.
    if (!["mo_sms", "mo_miss", "mt_sent"].includes(type) || !/^\+?\d{5,}$/.test(phone)) return undefined;
    const person = this.#conversation(phone);
    if (type === "mt_sent") {
      hear(person, text, atMs);
      return undefined;
    }
    if (key !== null && person.last?.key === key) return person.last.reply;
    const reply = type === "mo_miss" ? missedCall(person) : answer(person, understand(text), { phone, atMs });
    person.last = key === null ? undefined : { key, reply };
    if (reply !== undefined) {
      person.asked = undefined;
      person.said = [...person.said, reply].slice(-REPLIES_KEPT);
      person.saidAtMs = atMs;
    }
    return reply;
  }

  /** The conversation with a number, which becomes the latest. */
  #conversation(phone: string): Conversation {
    const person = this.#people.get(phone) ?? {
      language: "eng",
      hasStopped: false,
      open: undefined,
      asked: undefined,
      said: [],
      saidAtMs: -Infinity,
      unclear: 0,
      last: undefined,
    };
    this.#people.delete(phone);
    this.#people.set(phone, person);
    if (this.#people.size > PEOPLE_MAX) {
      const [oldest] = this.#people.keys();
      if (oldest !== undefined) this.#people.delete(oldest);
    }
    return person;
  }
}

interface Asking {
  readonly phone: string;
  readonly atMs: number;
}

/**
 * A handset has sent a text to the person. If it is not an own reply, a flow, a campaign or a person at the clinic has
 * written: what the person says next answers that, and not an older question of the application.
 */
function hear(person: Conversation, text: string, atMs: number): void {
  if (person.said.includes(text) || atMs < person.saidAtMs) return;
  person.open = undefined;
  person.asked = { about: understand(text).meaning === "visit" ? "visit" : "other", atMs };
}

function missedCall(person: Conversation): string | undefined {
  return person.hasStopped ? undefined : phrases[person.language].missedCall;
}

function answer(person: Conversation, said: Understood, asking: Asking): string | undefined {
  person.language = said.language ?? person.language;
  const say = phrases[person.language];
  if (person.hasStopped && !["start", "danger", "symptom"].includes(said.meaning)) return undefined;
  if (said.meaning !== "unknown") person.unclear = 0;
  switch (said.meaning) {
    case "stop":
      person.open = undefined;
      person.hasStopped = true;
      return say.stopped;
    case "start":
      person.hasStopped = false;
      return say.started;
    case "danger":
      person.open = undefined;
      return say.emergency;
    case "symptom":
      return ask(person, said, say);
    case "yes":
    case "no":
      return conclude(person, said.meaning === "yes", { say, ...asking });
    case "stock":
      return stock(said.counts, say);
    case "join":
      // A flow of the service registers people.
      person.asked = { about: "other", atMs: asking.atMs };
      return undefined;
    case "visit":
      return fill(say.visit, { when: whenOf(say, asking, 1) });
    case "help":
    case "hours":
      return say[said.meaning];
    case "greeting":
      return isLeftToOthers(person, asking.atMs) ? undefined : say.greeting;
    case "thanks":
      return undefined;
    case "unknown":
      return isLeftToOthers(person, asking.atMs) ? undefined : clarify(person, say);
    default:
      return said.meaning satisfies never;
  }
}

function ask(person: Conversation, { symptom, isChild, days = 1 }: Understood, say: Phrases): string | undefined {
  if (symptom === undefined) return undefined;
  person.open = { symptom, isChild, days };
  return `${say.questions[symptom]} ${say.yesOrNo}`;
}

/**
 * The answer to the open question: how urgent it is, and what to do; or to the campaign's question about a visit. A YES
 * or NO without a question needs none.
 */
function conclude(
  person: Conversation,
  isYes: boolean,
  { say, ...asking }: Asking & { readonly say: Phrases },
): string | undefined {
  const { open, asked } = person;
  if (asked?.about === "visit") {
    return isYes
      ? fill(say.visit, { when: whenOf(say, asking, 1) })
      : fill(say.otherVisit, { when: whenOf(say, asking, 2) });
  }
  if (open === undefined) return undefined;
  person.open = undefined;
  if (isYes) return say.emergency;
  const isUrgent = open.symptom === "pregnancy" || open.isChild || open.days >= 3;
  const when = whenOf(say, asking, isUrgent ? 0 : 2);
  return fill(isUrgent ? say.today : say.soon, { when, advice: say.advice[open.symptom] });
}

function isLeftToOthers({ asked }: Conversation, atMs: number): boolean {
  return asked !== undefined && atMs - asked.atMs < LEFT_TO_OTHERS_MS;
}

function clarify(person: Conversation, say: Phrases): string | undefined {
  person.unclear++;
  const { open } = person;
  if (open !== undefined && person.unclear === 1) return `${say.questions[open.symptom]} ${say.yesOrNo}`;
  return person.unclear > GUIDANCE_MAX ? undefined : say.guidance;
}

function stock(counts: readonly Count[], say: Phrases): string {
  if (counts.length === 0) return say.stockHow;
  const nameOf = ({ item }: Count): string =>
    Object.hasOwn(say.supplies, item) ? say.supplies[item as keyof Phrases["supplies"]] : item;
  const list = counts.map((one) => `${nameOf(one)} ${one.count}`).join(", ");
  const low = counts.filter(({ count }) => count < LOW_BELOW).map(nameOf);
  const noted = fill(say.stockNoted, { list });
  return low.length === 0 ? noted : `${noted} ${fill(say.stockLow, { list: low.join(", ") })}`;
}

/** `tomorrow at 09:15` */
function whenOf(say: Phrases, { phone, atMs }: Asking, fromDay: number): string {
  const { inDays, weekday, time } = nextVisit(phone, atMs, fromDay);
  const day = inDays === 0 ? say.todayWord : inDays === 1 ? say.tomorrowWord : (say.weekdays[weekday] ?? "");
  return `${day} ${say.at} ${time}`;
}

function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? "");
}
