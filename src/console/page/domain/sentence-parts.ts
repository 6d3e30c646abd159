import type { FleetGroup } from "../../protocol/index.js";
import { selectorIn } from "./display-name.js";
import { eventTypeWords } from "./event-words.js";

/** A part of a sentence: words as they are, the code of an event type, or the selector of a handset. */
export type SentencePart = string | { readonly type: string } | { readonly handset: string };

/** A quoted text, the code of an event type, or what may be a selector: `long-bridge/0`, but not `long-bridge/0..3`. */
const CODES = new RegExp(
  `"[^"]*"|\\b(${Object.keys(eventTypeWords)
    .filter((type) => type.includes("_"))
    .join("|")})\\b|(?<![\\w/.-])([\\w-]+/\\d+)(?![\\w/]|\\.\\.)`,
  "g",
);

/**
 * Finds the codes in a sentence of the lab, such as `mo_sms "rash" at long-bridge/0`, so that they can be shown as words
 * and display names. Quoted texts are left alone.
 */
export function sentenceParts(text: string, groups: readonly FleetGroup[]): SentencePart[] {
  const parts: SentencePart[] = [];
  let done = 0;
  const add = (at: number, found: string, part: SentencePart): void => {
    if (at > done) parts.push(text.slice(done, at));
    parts.push(part);
    done = at + found.length;
  };
  for (const { 0: found, 1: type, 2: selector, index } of text.matchAll(CODES)) {
    if (type !== undefined) add(index, found, { type });
    // An event such as `3/17` looks like a selector.
    else if (selector !== undefined && selectorIn(groups, selector) === selector)
      add(index, found, { handset: selector });
  }
  if (done < text.length) parts.push(text.slice(done));
  return parts;
}
