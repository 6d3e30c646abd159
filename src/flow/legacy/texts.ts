import { mapOf, textOf } from "./json.js";

/** A text in several languages. `base` is the language of flows without one. */
export type Texts = ReadonlyMap<string, string>;

/**
 * Reads a localized text: an object by language, or a plain text, which counts as `base`. Some exports have a second
 * object by language inside the first.
 */
export function readTexts(value: unknown): Texts {
  const map = mapOf(value);
  if (map !== undefined) return new Map(Object.entries(map).map(([language, text]) => [language, plainText(text)]));
  return value === undefined || value === null || Array.isArray(value) ? new Map() : new Map([["base", textOf(value)]]);
}

function plainText(value: unknown): string {
  const map = mapOf(value);
  return textOf(map === undefined ? value : Object.values(map)[0]);
}

/** The text in the language of the flow, else the one without language. */
export function textIn(texts: Texts, language: string): string {
  return texts.get(language) ?? texts.get("base") ?? "";
}

/** The texts with each one rewritten. */
export function rewriteTexts(texts: Texts, rewrite: (text: string) => string): Texts {
  return new Map([...texts].map(([language, text]) => [language, rewrite(text)]));
}
