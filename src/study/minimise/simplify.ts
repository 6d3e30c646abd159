import type { ExactRequest } from "../../scenario/index.js";
import { channelFields, subjectFields } from "../../wire/index.js";
import { editedForm, rawPairs, type RawPair } from "./raw-form.js";
import { type Kept, searchSmallest } from "./search.js";
import { plainTimes, type TimeStyle } from "./plain-times.js";

/** What simplifying needs. */
export interface SimplifyOptions {
  /** Whether requests still fail in the same way, at the last of them. */
  readonly fails: (requests: readonly ExactRequest[]) => Promise<boolean>;
  /**
   * An ordinary event like the last one, which passes. A field whose lack makes this one fail, too, must stay: its lack would be
   * another failure. Undefined: there is none, so all fields stay.
   */
  readonly control: ExactRequest | undefined;
  /** Whether the control, changed, fails in the same way by itself. */
  readonly controlFails: (request: ExactRequest) => Promise<boolean>;
  /** Trials at most. */
  readonly trials: number;
  readonly hasTime: () => boolean;
}

/** Requests written as a person would. */
export interface Simplified {
  readonly requests: readonly ExactRequest[];
  readonly trials: number;
}

/** What texts become if their words do not matter. */
const plainTexts = ["hello", "hi", "thanks", "good morning", "yes", "no", "good night", "welcome"];

/** Trials for the characters of one text. */
const TEXT_TRIALS = 24;

/** A word of at most this many letters is tried by halves first. */
const SHORT = 12;

/** Fields that stay: without them a reader does not see an event. */
const essential: readonly string[] = ["event", "phone", "text"];

/**
 * Writes requests plainly while they fail in the same way: usual words instead of texts, else the few characters that matter;
 * only the fields that matter; small numbers; round times.
 */
export async function simplifyRequests(
  requests: readonly ExactRequest[],
  options: SimplifyOptions,
): Promise<Simplified> {
  const simplifier = new Simplifier(requests, options);
  await simplifier.run();
  return { requests: simplifier.requests, trials: simplifier.trials };
}

/** Changes one pair of the request at an index. */
type Edit = (pair: RawPair, request: ExactRequest, index: number) => string | undefined;

class Simplifier {
  requests: readonly ExactRequest[];
  trials = 0;
  readonly #options: SimplifyOptions;

  constructor(requests: readonly ExactRequest[], options: SimplifyOptions) {
    this.requests = requests;
    this.#options = options;
  }

  async run(): Promise<void> {
    if (this.requests.some(({ body }) => rawPairs(body) === undefined)) return;
    await this.#simplifyTexts();
    await this.#removeFields();
    await this.#try(this.#renumbered());
    for (const style of ["minutes apart", "whole minutes", "whole seconds"] satisfies TimeStyle[]) {
      if (await this.#try(plainTimes(this.requests, style))) break;
    }
  }

  /** Makes changed requests the result if they still fail. */
  async #try(changed: readonly ExactRequest[]): Promise<boolean> {
    if (
      changed.every(
        ({ body, atMs }, index) => body === this.requests[index]?.body && atMs === this.requests[index]?.atMs,
      )
    ) {
      return true;
    }
    if (!(await this.#fails(changed))) return false;
    this.requests = changed;
    return true;
  }

  async #fails(changed: readonly ExactRequest[]): Promise<boolean> {
    const { trials, hasTime, fails } = this.#options;
    if (this.trials >= trials || !hasTime()) return false;
    this.trials++;
    return fails(changed);
  }

  #edited(edit: Edit): ExactRequest[] {
    return this.requests.map((request, index) => ({
      ...request,
      body: editedForm(rawPairs(request.body) ?? [], (pair) => edit(pair, request, index)),
    }));
  }

  #withTexts(replaced: ReadonlyMap<string, string>): ExactRequest[] {
    return this.#edited(({ key, value }) => (key === "text" ? (replaced.get(value) ?? value) : value));
  }

  async #simplifyTexts(): Promise<void> {
    const texts = [
      ...new Set(
        this.requests.flatMap(
          ({ body }) =>
            rawPairs(body)
              ?.filter(({ key }) => key === "text")
              .map(({ value }) => value) ?? [],
        ),
      ),
    ];
    const free = plainTexts.filter((text) => !texts.includes(text));
    const plainOf = (text: string): string =>
      plainTexts.includes(text) || text === "" ? text : (free.shift() ?? text);
    const all = new Map(texts.map((text) => [text, plainOf(text)]));
    if (await this.#try(this.#withTexts(all))) return;
    // One by one; those before the last are rather fillers.
    for (const [text, plain] of all) {
      if (plain === text) continue;
      if (texts.length > 1 && (await this.#try(this.#withTexts(new Map([[text, plain]]))))) continue;
      await this.#shortenText(text);
    }
  }

  /** Keeps the characters of a text that matter. */
  async #shortenText(text: string): Promise<void> {
    const characters = Array.from(text);
    if (characters.length < 2) return;
    const indexes = characters.map((_, index) => index);
    const textOf = (kept: Kept): string => kept.map((index) => characters[index]).join("");
    const where = (holds: (character: string) => boolean): number[] =>
      indexes.filter((index) => holds(characters[index] ?? ""));
    const words = wordsOf(characters);
    let best = text;
    // Of a short word the receiver mostly knows the whole: then no half fails, and no letter can go.
    if (characters.length <= SHORT && words.length === 1 && /^\w+$/.test(text)) {
      const middle = characters.length >> 1;
      const halves = [characters.slice(0, middle), characters.slice(middle)].map((half) => half.join(""));
      let isHalfEnough = false;
      for (const half of halves) isHalfEnough ||= await this.#fails(this.#withTexts(new Map([[text, half]])));
      if (!isHalfEnough) return;
    }
    await searchSmallest(
      {
        start: indexes,
        fixed: [],
        candidates: [
          where((character) => /\P{ASCII}/u.test(character)),
          where((character) => !/[A-Za-z0-9 ]/.test(character)),
          where((character) => /[^A-Za-z ]/.test(character)),
          ...words.filter(({ length }) => words.length <= 6 || length > 8).slice(0, 6),
        ].filter(({ length }) => length > 0),
        families: [words],
      },
      {
        trials: Math.min(TEXT_TRIALS, this.#options.trials - this.trials),
        hasTime: this.#options.hasTime,
        test: async (kept) => {
          // An empty text would be a case of its own.
          if (kept.length === 0) return "passes";
          const shorter = textOf(kept);
          if (!(await this.#fails(this.#withTexts(new Map([[text, shorter]]))))) return "passes";
          if (shorter.length < best.length) best = shorter;
          return "fails";
        },
      },
    );
    if (best !== text) this.requests = this.#withTexts(new Map([[text, best]]));
    // Of a text that must be long, or of a certain length, the letters do not matter.
    if (best.length >= 12) await this.#try(this.#withTexts(new Map([[best, "a".repeat(best.length)]])));
  }

  /** Removes the fields, by name in all events at once, that the failure does not need. */
  async #removeFields(): Promise<void> {
    const { control } = this.#options;
    if (control === undefined) return;
    const pairsOfControl = rawPairs(control.body) ?? [];
    const names = [...new Set(this.requests.flatMap(({ body }) => rawPairs(body)?.map(({ key }) => key) ?? []))];
    const indexesOf = (...wanted: readonly string[]): number[] =>
      names.flatMap((name, index) => (wanted.includes(name) ? [index] : []));
    const cleared = new Map<string, boolean>();
    const controlFails = async (kept: ReadonlySet<string>): Promise<boolean> => {
      const body = editedForm(pairsOfControl, ({ key, value }) =>
        kept.has(key) || !names.includes(key) ? value : undefined,
      );
      let fails = cleared.get(body);
      if (fails === undefined) cleared.set(body, (fails = await this.#options.controlFails({ ...control, body })));
      return fails;
    };
    let best: ReadonlySet<string> = new Set(names);
    const keeping = (kept: ReadonlySet<string>): ExactRequest[] =>
      this.#edited(({ key, value }) => (kept.has(key) ? value : undefined));
    await searchSmallest(
      {
        start: names.map((_, index) => index),
        fixed: indexesOf(...essential),
        candidates: [
          [],
          indexesOf("time"),
          indexesOf(...channelFields, ...subjectFields),
          indexesOf(...channelFields, ...subjectFields, "time", "duration", "values"),
        ],
      },
      {
        trials: Math.min(14, this.#options.trials - this.trials),
        hasTime: this.#options.hasTime,
        test: async (kept) => {
          const chosen = new Set(kept.map((index) => names[index] ?? ""));
          if (!(await this.#fails(keeping(chosen))) || (await controlFails(chosen))) return "passes";
          if (chosen.size < best.size) best = chosen;
          return "fails";
        },
      },
    );
    this.requests = keeping(best);
  }

  /** Numbers of messages and calls from 1 on; equal ones stay equal. */
  #renumbered(): ExactRequest[] {
    const numbers = new Map<string, string>();
    return this.#edited(({ key, value }) => {
      if (!subjectFields.includes(key) || !/^\d{2,}$/.test(value)) return value;
      const number = numbers.get(value) ?? String(numbers.size + 1);
      numbers.set(value, number);
      return number;
    });
  }
}

/** The words of a text, each with the blanks before it. */
function wordsOf(characters: readonly string[]): Kept[] {
  const words: number[][] = [];
  for (const [index, character] of characters.entries()) {
    const before = characters[index - 1] ?? " ";
    if (words.length === 0 || (/\s/.test(character) && !/\s/.test(before))) words.push([]);
    words.at(-1)?.push(index);
  }
  return words;
}
