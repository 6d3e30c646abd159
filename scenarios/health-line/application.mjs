// @ts-check
/*
 * An application for the bundled receiver: the health line of a small clinic. People text who is ill, with what and since
 * when; it asks one question, then says how urgent it is, what to do, and when to come. Health workers report stock.
 * It talks English, French and Swahili. Simulated: its rules are no medical advice.
 *
 *     receiver: { application: health-line/application.mjs }
 */
import { phrases } from "./phrases.mjs";
import { understand } from "./understand.mjs";
import { nextVisit } from "./visits.mjs";
/**
 * @import { ApplicationEvent, ReplyTo } from "handset-lab"
 * @import { Phrases } from "./phrases.mjs"
 * @import { Count, Understood } from "./understand.mjs"
 * @import { Language, Symptom } from "./words.mjs"
 */

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

/**
 * What is remembered of a phone number.
 *
 * @typedef {object} Conversation
 * @property {Language} language
 * @property {boolean} hasStopped
 * @property {{ symptom: Symptom, isChild: boolean, days: number } | undefined} open - the illness that the open question
 *   is about
 * @property {{ about: "visit" | "other", atMs: number } | undefined} asked - what the service has asked since the last
 *   reply: a flow its own question, a campaign about a visit
 * @property {readonly string[]} said - the last own replies
 * @property {number} saidAtMs - when the last of them was given, milliseconds since 1970
 * @property {number} unclear - texts in a row that were not understood
 * @property {{ key: string, reply: string | undefined } | undefined} last - the last event and its answer: a repeated
 *   delivery gets the same answer
 */

/**
 * A text that is answered.
 *
 * @typedef {object} Asking
 * @property {string} phone
 * @property {number} atMs
 */

/**
 * Begins the application: it remembers nobody.
 *
 * @returns {ReplyTo}
 */
export function application() {
  const line = new HealthLine();
  return (event) => line.reply(event);
}

/** The health line. The same events in the same order give the same replies. */
export class HealthLine {
  /** @type {Map<string, Conversation>} */
  #people = new Map();

  /** The number of remembered phone numbers. */
  get size() {
    return this.#people.size;
  }

  /**
   * The text to send to the event's phone; undefined: none. `mo_sms` and `mo_miss` are answered; `mt_sent` says what
   * else the service has written to the person.
   *
   * @param {Omit<ApplicationEvent, "field">} event
   * @returns {string | undefined}
   */
  reply({ type, phone, text, atMs, key }) {
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

  /**
   * The conversation with a number, which becomes the latest.
   *
   * @param {string} phone
   * @returns {Conversation}
   */
  #conversation(phone) {
    /** @type {Conversation} */
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

/**
 * A handset has sent a text to the person. If it is not an own reply, a flow, a campaign or a person at the clinic has
 * written: what the person says next answers that, and not an older question of the application.
 *
 * @param {Conversation} person
 * @param {string} text
 * @param {number} atMs
 */
function hear(person, text, atMs) {
  if (person.said.includes(text) || atMs < person.saidAtMs) return;
  person.open = undefined;
  person.asked = { about: understand(text).meaning === "visit" ? "visit" : "other", atMs };
}

/** @param {Conversation} person */
function missedCall(person) {
  return person.hasStopped ? undefined : phrases[person.language].missedCall;
}

/**
 * @param {Conversation} person
 * @param {Understood} said
 * @param {Asking} asking
 * @returns {string | undefined}
 */
function answer(person, said, asking) {
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
  }
}

/**
 * @param {Conversation} person
 * @param {Understood} said
 * @param {Phrases} say
 */
function ask(person, { symptom, isChild, days = 1 }, say) {
  if (symptom === undefined) return undefined;
  person.open = { symptom, isChild, days };
  return `${say.questions[symptom]} ${say.yesOrNo}`;
}

/**
 * The answer to the open question: how urgent it is, and what to do; or to the campaign's question about a visit. A YES
 * or NO without a question needs none.
 *
 * @param {Conversation} person
 * @param {boolean} isYes
 * @param {Asking & { say: Phrases }} asking
 */
function conclude(person, isYes, { say, ...asking }) {
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

/**
 * @param {Conversation} person
 * @param {number} atMs
 */
function isLeftToOthers({ asked }, atMs) {
  return asked !== undefined && atMs - asked.atMs < LEFT_TO_OTHERS_MS;
}

/**
 * @param {Conversation} person
 * @param {Phrases} say
 */
function clarify(person, say) {
  person.unclear++;
  const { open } = person;
  if (open !== undefined && person.unclear === 1) return `${say.questions[open.symptom]} ${say.yesOrNo}`;
  return person.unclear > GUIDANCE_MAX ? undefined : say.guidance;
}

/**
 * @param {readonly Count[]} counts
 * @param {Phrases} say
 */
function stock(counts, say) {
  if (counts.length === 0) return say.stockHow;
  /** @type {Record<string, string>} */
  const names = say.supplies;
  const nameOf = (/** @type {Count} */ { item }) => (Object.hasOwn(names, item) ? names[item] : item);
  const list = counts.map((one) => `${nameOf(one)} ${one.count}`).join(", ");
  const low = counts.filter(({ count }) => count < LOW_BELOW).map(nameOf);
  const noted = fill(say.stockNoted, { list });
  return low.length === 0 ? noted : `${noted} ${fill(say.stockLow, { list: low.join(", ") })}`;
}

/**
 * `tomorrow at 09:15`
 *
 * @param {Phrases} say
 * @param {Asking} asking
 * @param {number} fromDay
 */
function whenOf(say, { phone, atMs }, fromDay) {
  const { inDays, weekday, time } = nextVisit(phone, atMs, fromDay);
  const day = inDays === 0 ? say.todayWord : inDays === 1 ? say.tomorrowWord : (say.weekdays[weekday] ?? "");
  return `${day} ${say.at} ${time}`;
}

/**
 * @param {string} text
 * @param {Record<string, string>} values
 */
function fill(text, values) {
  return text.replaceAll(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
}
