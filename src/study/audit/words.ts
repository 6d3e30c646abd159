import { type Exchange, isAccepted, replyText } from "./client.js";
import { type EffectRecord, type EffectsReader, markerOf, recordsOf } from "./effects.js";

/** Words that many applications know, tried after those that are given or named in replies. */
const usualWords: readonly string[] = ["join", "register", "report", "yes", "start", "1"];

/** Words that are tried at most. */
const WORDS_MAX = 12;

/** A person of one trial, whom no other trial knows. */
interface Person {
  readonly phone: string;
}

/** What the search for words needs of an audit. */
interface WordSearch {
  readonly effects: EffectsReader | undefined;
  readonly judgesReplies: boolean;
  readonly nowMs: number;
  person(): Person;
  body(type: "mo_sms", changes: Readonly<Record<string, unknown>>): string;
  post(body: string): Promise<Exchange>;
  control(
    type: "mo_sms",
  ): Promise<{ readonly exchange: Exchange; readonly isAccepted: boolean; readonly isKept: boolean }>;
  recordsFor(person: Person, more: number): Promise<EffectRecord[]>;
  settledRecords(person: Person): Promise<EffectRecord[]>;
}

/** A text on which the receiver acts. */
export interface KnownWord {
  readonly word: string;
  /** `given`, `named in its reply`, `usual`. */
  readonly from: string;
  /** Whether two texts with it, with other ids and arguments, both show in the effects. */
  readonly isList: boolean;
}

/** A word that was tried, with its texts' person and answer. */
interface Tried {
  readonly word: string;
  readonly from: string;
  readonly person: Person;
  readonly exchange: Exchange;
}

/**
 * Finds the words on which a receiver acts, where an ordinary sentence shows in none of its effects: the given ones, those
 * in capitals or quotes in its own replies, and a few usual ones. Asked once for an audit.
 */
export class KnownWords {
  readonly #context: WordSearch;
  readonly #given: readonly string[];
  #found: Promise<readonly KnownWord[]> | undefined;

  constructor(context: WordSearch, given: readonly string[]) {
    this.#context = context;
    this.#given = given;
  }

  /** The words on which it acts, those that make lists first; empty: none is known, or ordinary texts show anyway. */
  all(): Promise<readonly KnownWord[]> {
    return (this.#found ??= this.#find());
  }

  /** The words that are given, or that the receiver's own replies name, and those on which it acts. */
  async named(): Promise<readonly string[]> {
    const { exchange } = await this.#context.control("mo_sms");
    const acting = (await this.all()).map(({ word }) => word);
    return [
      ...new Set([...this.#given, ...acting, ...wordsIn(replyText(exchange) ?? "")].map((word) => word.toLowerCase())),
    ];
  }

  /** A text that shows in the effects; undefined: the ordinary one does, or none is known. */
  async textThatShows(): Promise<string | undefined> {
    const [first] = await this.all();
    return first && textOf(first.word, 7);
  }

  /** Two texts of one person that both show. */
  async textsThatBothShow(): Promise<readonly [string, string] | undefined> {
    const first = (await this.all()).find(({ isList }) => isList);
    return first && [textOf(first.word, 7), textOf(first.word, 8)];
  }

  async #find(): Promise<readonly KnownWord[]> {
    const context = this.#context;
    const control = await context.control("mo_sms");
    if (!control.isAccepted || control.isKept) return [];
    if (context.effects === undefined && !context.judgesReplies) return [];
    const ordinary = replyText(control.exchange);
    const tried = await this.#tryWords(ordinary ?? "");
    if (context.effects === undefined) {
      return tried
        .filter(({ exchange }) => ![undefined, ordinary].includes(replyText(exchange)))
        .map(({ word, from }) => ({ word, from, isList: false }));
    }
    const acting = await this.#thoseThatShow(tried);
    const known = await Promise.all(
      acting.map(async ({ word, from, person }) => ({ word, from, isList: await this.#isList(word, person) })),
    );
    return known.toSorted((a, b) => Number(b.isList) - Number(a.isList));
  }

  /** Sends each word for a person of its own; replies may name further ones. */
  async #tryWords(firstReply: string): Promise<Tried[]> {
    const queue = [
      ...this.#given.map((word) => ({ word, from: "given" })),
      ...wordsIn(firstReply).map((word) => ({ word, from: "named in its reply" })),
    ];
    const seen = new Set(queue.map(({ word }) => word.toLowerCase()));
    const add = (words: readonly string[], from: string): void => {
      for (const word of words) {
        if (seen.has(word.toLowerCase())) continue;
        seen.add(word.toLowerCase());
        queue.push({ word, from });
      }
    };
    if (queue.length === 0) add(usualWords, "usual");
    const tried: Tried[] = [];
    for (let next = queue.shift(); next !== undefined && tried.length < WORDS_MAX; next = queue.shift()) {
      const person = this.#context.person();
      const exchange = await this.#context.post(
        this.#context.body("mo_sms", { phone: person.phone, text: textOf(next.word, 7) }),
      );
      if (isAccepted(exchange)) tried.push({ ...next, person, exchange });
      add(wordsIn(replyText(exchange) ?? ""), "named in its reply");
      if (queue.length === 0 && tried.length < usualWords.length) add(usualWords, "usual");
    }
    return tried;
  }

  async #thoseThatShow(tried: readonly Tried[]): Promise<Tried[]> {
    const { effects } = this.#context;
    if (effects === undefined || tried.length === 0) return [];
    const shows = (now: unknown, { person }: Tried): boolean => recordsOf(now, [markerOf(person.phone)]).length > 0;
    await effects.readWhen((now) => tried.some((one) => shows(now, one)));
    const settled = await effects.readSettled();
    return tried.filter((one) => shows(settled, one));
  }

  /** Whether a second text of the person, with another id and argument, adds a record to the first. */
  async #isList(word: string, person: Person): Promise<boolean> {
    const context = this.#context;
    const before = await context.settledRecords(person);
    await context.post(
      context.body("mo_sms", { phone: person.phone, text: textOf(word, 8), time: context.nowMs + 3_600_000 }),
    );
    const after = await context.recordsFor(person, before.length);
    return after.length > before.length;
  }
}

/** A text with a word and an argument. */
export function textOf(word: string, argument: number): string {
  return /\s/.test(word) ? word : `${word} ${argument}`;
}

/** The words that a reply names: in capitals or in quotes. */
export function wordsIn(reply: string): string[] {
  const quoted = Array.from(reply.matchAll(/["'“‘«]([\p{L}\d]{1,20})["'”’»]/gu), ([, word = ""]) => word);
  const capitals = Array.from(reply.matchAll(/(?<![\p{L}\d])\p{Lu}{2,20}(?![\p{L}\d])/gu), ([word]) => word);
  return [...new Set([...quoted, ...capitals])].slice(0, WORDS_MAX);
}
