import { eventTypeWords } from "./event-words.js";

/** What a sentence needs besides the expectation. */
export interface SentenceTerms {
  /** The latest instant of the decision by the clock on screen; undefined: the end. */
  readonly by: string | undefined;
  /** The name of a selector of handsets: `Old Harbour` for `old-harbour`. */
  readonly nameOf: (selector: string) => string;
}

/** Keys of the verb `expect`, in the order of its text. */
const keys = [
  "person",
  "hears",
  "answers",
  "result",
  "is",
  "category",
  "flow",
  "group",
  "contains",
  "lacks",
  "event",
  "of",
  "where",
  "count",
  "at-least",
  "at-most",
  "within",
] as const;
type Given = Partial<Record<(typeof keys)[number], string>>;

/**
 * An expectation as a sentence: `event: alarm, of: old-harbour, count: >= 8, within: 50m` is "By 12:20, at least eight
 * alarms from Old Harbour". Undefined: it has no sentence, and its text says more. Pure.
 */
export function expectationSentence(text: string, terms: SentenceTerms): string | undefined {
  const words = boundWords(text) ?? stepWords(givenIn(text), terms);
  if (words === undefined) return undefined;
  return terms.by === undefined ? capital(words) : `By ${terms.by}, ${words}`;
}

function givenIn(text: string): Given {
  const given: Given = {};
  let rest = `, ${text}`;
  let last: (typeof keys)[number] | undefined;
  for (const key of keys) {
    const at = rest.indexOf(`, ${key}: `);
    if (at < 0 || (last === undefined && at > 0)) continue;
    if (last !== undefined) given[last] = rest.slice(0, at);
    rest = rest.slice(at + key.length + 4);
    last = key;
  }
  if (last !== undefined) given[last] = rest;
  return given;
}

function stepWords(given: Given, { nameOf }: SentenceTerms): string | undefined {
  const { person, hears, answers, result, event, of, where, group, contains, lacks } = given;
  const count =
    given.count ?? (given["at-least"] && `>= ${given["at-least"]}`) ?? (given["at-most"] && `<= ${given["at-most"]}`);
  if (event !== undefined && eventTypeWords[event] !== undefined) {
    const from = of === undefined ? "" : ` from ${nameOf(of)}`;
    return `${countWords(count ?? ">= 1", eventTypeWords[event])}${from}${where === undefined ? "" : ` with ${where}`}`;
  }
  if (person !== undefined && hears !== undefined) {
    const often = count === undefined ? "" : `, ${countWords(count, { one: "time", many: "times" })}`;
    return `${capital(person)} hears ${quoted(hears)}${answers === undefined ? "" : ` in answer to ${quoted(answers)}`}${often}`;
  }
  if (person !== undefined && result !== undefined) {
    const value = given.is === undefined ? "" : ` ${quoted(given.is)}`;
    const category = given.category === undefined ? "" : ` in the category ${quoted(given.category)}`;
    return `${capital(person)} has the result ${quoted(result)}${value}${category}`;
  }
  if (group !== undefined && contains !== undefined) return `the group ${quoted(group)} has ${contains}`;
  if (group !== undefined && lacks !== undefined) return `the group ${quoted(group)} has no ${lacks}`;
  return undefined;
}

const metrics: Readonly<Record<string, { readonly one: string; readonly many: string }>> = {
  alarms: { one: "alarm", many: "alarms" },
  failures: { one: "failed delivery", many: "failed deliveries" },
  "attempts.failed": { one: "delivery that was given up", many: "deliveries that were given up" },
  "ledger.gap": { one: "text that is missing without a cause", many: "texts that are missing without a cause" },
  doubles: { one: "event acted on twice", many: "events acted on twice" },
  queued: { one: "message that still waits", many: "messages that still wait" },
  events: { one: "event", many: "events" },
};

/** `alarms >= 16`. */
function boundWords(text: string): string | undefined {
  const [, metric = "", op = "", value = ""] = /^([\w.]+) (==|!=|<=|>=|<|>) (\d+)$/.exec(text) ?? [];
  const noun = metrics[metric] ?? eventTypeWords[/^events\.(\w+)$/.exec(metric)?.[1] ?? ""];
  return noun === undefined ? undefined : countWords(`${op} ${value}`, noun);
}

/** `at least eight alarms`. @param count - `3`, or `>= 3` */
function countWords(count: string, { one, many }: { readonly one: string; readonly many: string }): string {
  const [, op = "==", value = ""] = /^(==|!=|<=|>=|<|>)?\s*(\d+)$/.exec(count) ?? [];
  const n = Number(value);
  if ((op === "==" || op === "<=") && n === 0) return `no ${many}`;
  const noun = n === 1 ? one : many;
  const number = numbers[n] ?? n.toLocaleString("en");
  const before = { "==": "", "!=": "not ", "<=": "at most ", ">=": "at least ", "<": "fewer than ", ">": "more than " }[
    op
  ];
  return `${before ?? ""}${number} ${noun}`;
}

const numbers = [
  "no",
  "one",
  "two",
  "three",
  "four",
  "five",
  "six",
  "seven",
  "eight",
  "nine",
  "ten",
  "eleven",
  "twelve",
];

function quoted(text: string): string {
  return `“${text.replace(/^"(.*)"$/, "$1")}”`;
}

function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
