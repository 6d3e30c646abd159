import { nearest } from "../../sheet/nearest.js";
import { type Read, describeValue } from "../../sheet/raw-value.js";
import { scalar } from "./scalar.js";

/** How a URL begins, for JSON Schemas. */
export const urlPattern = "^[hH][tT][tT][pP][sS]?://";

/** An http or https URL, or one of the words that may stand for one. */
export function readUrl(words: readonly string[] = []): Read<string> {
  const wanted = ["an http or https URL", ...words].join(" or ");
  return scalar(wanted, (text, report) => {
    if (words.includes(text) || isHttpUrl(text)) return text;
    report({ code: "bad-url", message: `must be ${wanted}, got ${describeValue(text)}`, hint: urlHint(text, words) });
    return undefined;
  });
}

function isHttpUrl(text: string): boolean {
  return /^https?:\/\/[^/?#\s]/i.test(text) && !/\s/.test(text) && URL.canParse(text);
}

function urlHint(text: string, words: readonly string[]): string {
  const word = nearest(text, words);
  if (word !== undefined) return `did you mean '${word}'?`;
  if (!/:\/\//.test(text) && isHttpUrl(`http://${text}`) && /[.:]|localhost/.test(text)) return `write http://${text}`;
  if (/^[a-z]+:\/\//i.test(text) && !/^https?:/i.test(text)) return "only http and https are spoken";
  return "write it as http://127.0.0.1:8080/events";
}
