import { groupOf } from "../../measure/index.js";
import { parseForm, segmentsOf, zoneOffsetMs } from "../../wire/index.js";
import { characterTraits } from "../special/character-traits.js";

/** An event as traits read it. */
export interface TraitEvent {
  readonly channel: number;
  readonly type: string;
  readonly body: string;
  /** Virtual milliseconds. */
  readonly atMs: number;
  readonly isCopy: boolean;
}

/** What the attempts of an event were like. */
export interface AttemptTraits {
  /** Another event was under way at the same time. */
  readonly isBeside: boolean;
  /** Another event of the same person was under way at the same time. */
  readonly isBesideOwn: boolean;
  /** An attempt before the last one had no usable answer. */
  readonly isRepeated: boolean;
}

/** Texts, people and words that are remembered, at most: 100,000 take some ten megabytes. */
const REMEMBERED_MAX = 100_000;
/** Two people send the same words for the same reason within this span. Virtual milliseconds. */
const SAME_WORDS_MS = 600_000;
/** Words of a text that are compared. */
const WORDS_MAX = 12;
/** A phone's time is wrong if it differs this much from the time of the event. */
const CLOCK_OFF_MS = 300_000;
const HOUR_MS = 3_600_000;

/**
 * The traits of events that may explain why some of them went wrong: where they come from, when, of which type and
 * person, what the text is like, and what came before and beside them. Call it for the events in their order.
 */
export class EventTraits {
  /** What comes after "of N events", by trait. */
  readonly texts: Map<string, string> = new Map();
  readonly #nameOf: (channel: number) => string;
  readonly #startsAtMs: number;
  readonly #timezone: string;
  readonly #people = new Set<string>();
  readonly #lastTexts = new Map<string, string>();
  readonly #words = new Map<string, { phone: string; atMs: number; otherAtMs: number }>();
  /** Channels whose last event was a copy. */
  readonly #afterCopy = new Set<number>();

  /** @param options - `nameOf`: selector of a channel's handset; `startsAtMs`: since 1970; `timezone`: of hours */
  constructor(options: {
    readonly nameOf: (channel: number) => string;
    readonly startsAtMs: number;
    readonly timezone: string;
  }) {
    this.#nameOf = options.nameOf;
    this.#startsAtMs = options.startsAtMs;
    this.#timezone = options.timezone;
  }

  traitsOf(event: TraitEvent, attempts: AttemptTraits | undefined): Set<string> {
    const found = new Set<string>();
    const add = (key: string, text: () => string): void => {
      found.add(key);
      if (!this.texts.has(key)) this.texts.set(key, text());
    };
    const fields = new Map(parseForm(event.body));
    this.#addOrigin(event, add);
    if (attempts?.isBesideOwn === true)
      add("beside-own", () => "were under way together with another event of their person");
    if (attempts?.isBeside === true) add("beside", () => "were under way together with another event");
    if (attempts?.isRepeated === true) add("repeated", () => "had an attempt before without a usable answer");
    this.#addPerson(event, fields, add);
    this.#addText(event, fields, add);
    this.#addCall(fields, add);
    return found;
  }

  #addOrigin({ channel, type, atMs, isCopy }: TraitEvent, add: Add): void {
    const name = this.#nameOf(channel);
    add(`handset ${name}`, () => `come from the handset ${name}`);
    add(`group ${groupOf(name)}`, () => `come from the group ${groupOf(name)}`);
    add(`type ${type}`, () => `are of the type ${type}`);
    const epochMs = this.#startsAtMs + atMs;
    const hour = Math.floor((epochMs + zoneOffsetMs(this.#timezone, epochMs)) / HOUR_MS) % 24;
    add(`hour ${hour}`, () => `come between ${hour}:00 and ${hour + 1}:00 (${this.#timezone})`);
    if (isCopy) add("copy", () => "are copies of another event");
    if (this.#afterCopy.has(channel)) add("after-copy", () => "come after a copy from the same phone");
    if (isCopy) this.#afterCopy.add(channel);
    else this.#afterCopy.delete(channel);
  }

  #addPerson({ atMs }: TraitEvent, fields: ReadonlyMap<string, string>, add: Add): void {
    const phone = fields.get("phone");
    if (phone !== undefined && phone !== "") {
      add(`person ${phone}`, () => `are about ${phone}`);
      if (!/^\+?\d{7,}$/.test(phone)) add("short-phone", () => "have a phone that is no full number");
      if (!this.#people.has(phone)) add("first-of-person", () => "are the first about their person");
      if (this.#people.size < REMEMBERED_MAX) this.#people.add(phone);
    }
    const ownMs = Date.parse(fields.get("time") ?? fields.get("occurred_on") ?? "");
    if (!Number.isNaN(ownMs)) {
      const behindMs = this.#startsAtMs + atMs - ownMs;
      if (behindMs < -CLOCK_OFF_MS) add("ahead", () => "have a time more than 5 min in the future");
      if (behindMs > CLOCK_OFF_MS) add("behind", () => "have a time more than 5 min in the past");
      if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:Z|[+-])/.test(fields.get("time") ?? ""))
        add("no-fraction", () => "have a time without a fraction of the second");
    }
  }

  #addText({ atMs }: TraitEvent, fields: ReadonlyMap<string, string>, add: Add): void {
    const [phone = "", text] = [fields.get("phone"), fields.get("text")];
    if (text === undefined) return;
    const { count, encoding } = segmentsOf(text);
    if (count > 1) add("long", () => "have a text longer than one SMS");
    if (count > 3) add("very-long", () => "have a text longer than three SMS");
    if (encoding === "UCS-2") add("not-gsm", () => "have letters in their text that GSM-7 lacks");
    for (const [key, pattern, about] of characterTraits)
      if (pattern.test(text))
        add(`text ${key}`, () => about.replace(/^has /, "have ").replace("its text", "their text"));
    const whole = text.trim().toLowerCase();
    if (/^\d+$/.test(whole)) add("number", () => "have a text that is a number");
    else if (/^\W*[A-Z][A-Z\W]+$/.test(text)) add("capitals", () => "have a text in capital letters");
    for (const word of new Set(whole.match(/[\p{L}\p{N}]{2,}/gu)?.slice(0, WORDS_MAX)))
      add(`word ${word}`, () => `have the word "${word}" in their text`);
    if (this.#lastTexts.get(phone) === text) add("same-text", () => "repeat the last text of their person");
    if (this.#lastTexts.size < REMEMBERED_MAX || this.#lastTexts.has(phone)) this.#lastTexts.set(phone, text);
    this.#addSameWords(whole, { phone, atMs }, add);
  }

  #addSameWords(words: string, { phone, atMs }: { readonly phone: string; readonly atMs: number }, add: Add): void {
    const last = this.#words.get(words);
    if (last === undefined) {
      if (this.#words.size < REMEMBERED_MAX) this.#words.set(words, { phone, atMs, otherAtMs: -Infinity });
      return;
    }
    if (last.phone !== phone) {
      last.otherAtMs = last.atMs;
      last.phone = phone;
    }
    if (atMs - last.otherAtMs <= SAME_WORDS_MS)
      add("same-words", () => "follow the same words of somebody else within 10 min");
    last.atMs = atMs;
  }

  #addCall(fields: ReadonlyMap<string, string>, add: Add): void {
    const duration = fields.get("duration");
    if (duration === undefined) return;
    if (Number(duration) === 0) add("no-duration", () => "have a duration of 0 s");
    if (Number(duration) >= 3600) add("hour-long", () => "have a duration of an hour or more");
  }
}

type Add = (key: string, text: () => string) => void;
