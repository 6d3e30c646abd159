import {
  type Sense,
  supplies,
  type Supply,
  type Symptom,
  symptoms,
  type TriageLanguage,
  triageLanguages,
  words,
} from "./words.js";

/** What a text says. */
export interface Understood {
  /** What it is about: the most urgent sense of its words. */
  readonly meaning:
    "danger" | "symptom" | "stock" | Exclude<Sense, Symptom | "danger" | "stock" | "child" | "common"> | "unknown";
  readonly symptom?: Symptom;
  /** It is about a child. */
  readonly isChild: boolean;
  /** For how many days; absent: it does not say. */
  readonly days?: number;
  /** Counted supplies, for `stock`. */
  readonly counts: readonly Count[];
  /** The language of its words; absent: they do not tell. */
  readonly language?: TriageLanguage;
}

/** A supply of a stock report. */
export interface Count {
  /** A known supply, or the sender's own word. */
  readonly item: Supply | (string & {});
  readonly count: number;
}

/** Longer texts are cut: an SMS is never as long. */
const CHARACTERS_MAX = 1000;

/** Most supplies that one report may name. */
const COUNTS_MAX = 6;

/** Youngest age of an adult in the rules of the application, in years. */
const ADULT_FROM_YEARS = 12;

/** The senses that are more than a word by the way, the most urgent first. */
const order = [
  "stop", "start", "danger", ...symptoms, "stock", "help", "join", "visit", "hours", "yes", "no", "greeting", "thanks",
] as const satisfies readonly Sense[]; // prettier-ignore

/** Reads a text in any of the languages. Never fails; a text without a known word is `unknown`. */
export function understand(text: string): Understood {
  const plain = plainWords(text);
  const senses = new Set<Sense>();
  const hits: Record<TriageLanguage, number> = { eng: 0, fra: 0, swa: 0 };
  for (const [language, phrase, sense] of phrases) {
    if (!plain.includes(` ${phrase} `)) continue;
    senses.add(sense);
    if (!keywords.has(phrase)) hits[language]++;
  }
  const found = order.find((sense) => senses.has(sense));
  const symptom = symptoms.find((one) => one === found);
  const counts = senses.has("stock") ? countsIn(plain) : [];
  const days = daysIn(plain);
  // A report that begins with STOCK may name things that are also symptoms' words, such as "burn cream".
  const isStock = /^ (stock|hisa) /.test(plain);
  return {
    meaning: isStock
      ? "stock"
      : symptom !== undefined
        ? "symptom"
        : ((found as Understood["meaning"] | undefined) ?? "unknown"),
    ...(symptom !== undefined && !isStock && { symptom }),
    isChild: senses.has("child") || isYoung(plain),
    days,
    counts,
    ...languageOf(hits),
  };
}

/** Keywords that the application teaches in every language: they do not tell it. */
const keywords: ReadonlySet<string> = new Set(["stop", "start", "join", "stock"]);

/** All words and phrases with their language and sense. */
const phrases: readonly (readonly [language: TriageLanguage, phrase: string, sense: Sense])[] = triageLanguages.flatMap(
  (language) =>
    (Object.entries(words[language]) as [Sense, string][]).flatMap(([sense, list]) =>
      list.split(",").map((phrase) => [language, phrase, sense] as const),
    ),
);

/** Lower case, without accents and punctuation, one blank between words and around them: ` fievre 2 jours `. */
function plainWords(text: string): string {
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

/** The language with the most words; none where two have as many. */
function languageOf(hits: Readonly<Record<TriageLanguage, number>>): Pick<Understood, "language"> {
  const [first, second] = triageLanguages.toSorted((a, b) => hits[b] - hits[a]);
  if (first === undefined || second === undefined || hits[first] === hits[second]) return {};
  return { language: first };
}

function daysIn(plain: string): number | undefined {
  for (const { form, days } of spans) {
    const [, before, after] = form.exec(plain) ?? [];
    const count = before ?? after;
    if (count !== undefined) return Math.min(Number(count) * days, 365);
  }
  return / (since yesterday|depuis hier|tangu jana) /.test(plain) ? 1 : undefined;
}

/** `2 days`, `2 jours`, `siku 2`. */
const spans: readonly { readonly form: RegExp; readonly days: number }[] = [
  { form: / (\d{1,3}) (?:days?|jours?|d|j|siku) | siku (\d{1,3}) /, days: 1 },
  { form: / (\d{1,3}) (?:weeks?|semaines?|wiki) | wiki (\d{1,3}) /, days: 7 },
];

function isYoung(plain: string): boolean {
  if (/ \d{1,2} (months?|mois) /.test(plain) || / miezi \d/.test(plain)) return true;
  const years = / (\d{1,3}) (?:years?|yrs?|ans?) /.exec(plain)?.[1] ?? / miaka (\d{1,3}) /.exec(plain)?.[1];
  return years !== undefined && Number(years) < ADULT_FROM_YEARS;
}

/** `nets 12 ors 40`, in either order of name and number. */
function countsIn(plain: string): Count[] {
  const given = plain
    .trim()
    .split(" ")
    .filter((word) => !/^(stock|stocks|hisa|left|restent|zimebaki|and|et|na)$/.test(word));
  const isNumber = (word: string | undefined): word is string => word !== undefined && /^\d{1,6}$/.test(word);
  const counts: Count[] = [];
  for (let place = 0; place + 1 < given.length && counts.length < COUNTS_MAX; place++) {
    const [first = "", second] = given.slice(place, place + 2);
    if (isNumber(first) === isNumber(second) || second === undefined) continue;
    const [name, number] = isNumber(first) ? [second, first] : [first, second];
    counts.push({ item: supplyCalled(name) ?? name.slice(0, 20), count: Number(number) });
    place++;
  }
  return counts;
}

function supplyCalled(name: string): Supply | undefined {
  return (Object.keys(supplies) as Supply[]).find((supply) => supplies[supply].split(",").includes(name));
}
