// @ts-check
import { languages, supplies, symptoms, words } from "./words.mjs";
/** @import { Language, Sense, Supply, Symptom } from "./words.mjs" */

/**
 * What a text says.
 *
 * @typedef {object} Understood
 * @property {"symptom" | Exclude<Sense, Symptom | "child" | "common"> | "unknown"} meaning - what it is about: the most
 *   urgent sense of its words
 * @property {Symptom} [symptom]
 * @property {boolean} isChild - it is about a child
 * @property {number} [days] - for how many days; absent: it does not say
 * @property {readonly Count[]} counts - counted supplies, for `stock`
 * @property {Language} [language] - the language of its words; absent: they do not tell
 */

/**
 * A supply of a stock report.
 *
 * @typedef {object} Count
 * @property {string} item - a known supply, or the sender's own word
 * @property {number} count
 */

/** Longer texts are cut: an SMS is never as long. */
const CHARACTERS_MAX = 1000;

/** Most supplies that one report may name. */
const COUNTS_MAX = 6;

/** Youngest age of an adult in the rules of the application, in years. */
const ADULT_FROM_YEARS = 12;

/** The senses that are more than a word by the way, the most urgent first. */
const order = /** @type {const} */ ([
  "stop",
  "start",
  "danger",
  ...symptoms,
  "stock",
  "help",
  "join",
  "visit",
  "hours",
  "yes",
  "no",
  "greeting",
  "thanks",
]);

/**
 * Reads a text in any of the languages. Never fails; a text without a known word is `unknown`.
 *
 * @param {string} text
 * @returns {Understood}
 */
export function understand(text) {
  const plain = plainWords(text);
  /** @type {Set<Sense>} */
  const senses = new Set();
  /** @type {Record<Language, number>} */
  const hits = { eng: 0, fra: 0, swa: 0 };
  for (const [language, phrase, sense] of phrases) {
    if (!plain.includes(` ${phrase} `)) continue;
    senses.add(sense);
    if (!keywords.has(phrase)) hits[language]++;
  }
  const found = order.find((sense) => senses.has(sense));
  const counts = senses.has("stock") ? countsIn(plain) : [];
  const days = daysIn(plain);
  // A report that begins with STOCK may name things that are also symptoms' words, such as "burn cream".
  const isStock = /^ (stock|hisa) /.test(plain);
  return {
    ...meaningOf(isStock ? "stock" : found),
    isChild: senses.has("child") || isYoung(plain),
    days,
    counts,
    language: languageOf(hits),
  };
}

/**
 * @param {(typeof order)[number] | "unknown"} [sense]
 * @returns {Pick<Understood, "meaning" | "symptom">}
 */
function meaningOf(sense = "unknown") {
  const symptom = symptoms.find((one) => one === sense);
  if (symptom !== undefined) return { meaning: "symptom", symptom };
  return { meaning: /** @type {Understood["meaning"]} */ (sense) };
}

/** Keywords that the application teaches in every language: they do not tell it. */
const keywords = new Set(["stop", "start", "join", "stock"]);

/**
 * All words and phrases with their language and sense.
 *
 * @type {[language: Language, phrase: string, sense: Sense][]}
 */
const phrases = [];
for (const language of languages) {
  const senses = /** @type {[Sense, string][]} */ (Object.entries(words[language]));
  for (const [sense, list] of senses) {
    for (const phrase of list.split(",")) phrases.push([language, phrase, sense]);
  }
}

/**
 * Lower case, without accents and punctuation, one blank between words and around them: ` fievre 2 jours `.
 *
 * @param {string} text
 */
function plainWords(text) {
  const plain = text
    .slice(0, CHARACTERS_MAX)
    .normalize("NFD")
    .replaceAll(/\p{Mark}/gu, "")
    .toLowerCase()
    .replaceAll(/(\d)(?=\p{L})|(\p{L})(?=\d)/gu, "$1$2 ")
    .replaceAll(/[^\p{L}\d]+/gu, " ")
    .trim();
  return ` ${plain} `;
}

/**
 * The language with the most words; none where two have as many.
 *
 * @param {Record<Language, number>} hits
 * @returns {Language | undefined}
 */
function languageOf(hits) {
  const [first, second] = languages.toSorted((a, b) => hits[b] - hits[a]);
  return first === undefined || second === undefined || hits[first] === hits[second] ? undefined : first;
}

/** @param {string} plain */
function daysIn(plain) {
  for (const { form, days } of spans) {
    const [, before, after] = form.exec(plain) ?? [];
    const count = before ?? after;
    if (count !== undefined) return Math.min(Number(count) * days, 365);
  }
  return / (since yesterday|depuis hier|tangu jana) /.test(plain) ? 1 : undefined;
}

/** `2 days`, `2 jours`, `siku 2`. */
const spans = [
  { form: / (\d{1,3}) (?:days?|jours?|d|j|siku) | siku (\d{1,3}) /, days: 1 },
  { form: / (\d{1,3}) (?:weeks?|semaines?|wiki) | wiki (\d{1,3}) /, days: 7 },
];

/** @param {string} plain */
function isYoung(plain) {
  if (/ \d{1,2} (months?|mois) /.test(plain) || / miezi \d/.test(plain)) return true;
  const years = / (\d{1,3}) (?:years?|yrs?|ans?) /.exec(plain)?.[1] ?? / miaka (\d{1,3}) /.exec(plain)?.[1];
  return years !== undefined && Number(years) < ADULT_FROM_YEARS;
}

/**
 * `nets 12 ors 40`, in either order of name and number.
 *
 * @param {string} plain
 */
function countsIn(plain) {
  const given = plain
    .trim()
    .split(" ")
    .filter((word) => !/^(stock|stocks|hisa|left|restent|zimebaki|and|et|na)$/.test(word));
  const isNumber = (/** @type {string} */ word) => /^\d{1,6}$/.test(word);
  /** @type {Count[]} */
  const counts = [];
  for (let place = 0; place + 1 < given.length && counts.length < COUNTS_MAX; place++) {
    const [first = "", second] = given.slice(place, place + 2);
    if (second === undefined || isNumber(first) === isNumber(second)) continue;
    const [name, number] = isNumber(first) ? [second, first] : [first, second];
    counts.push({ item: supplyCalled(name) ?? name.slice(0, 20), count: Number(number) });
    place++;
  }
  return counts;
}

/** @param {string} name */
function supplyCalled(name) {
  const known = /** @type {Supply[]} */ (Object.keys(supplies));
  return known.find((supply) => supplies[supply].split(",").includes(name));
}
