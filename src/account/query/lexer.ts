import { QueryFault, quoted, type QuerySpan } from "./query-fault.js";
import type { QueryOperator } from "./query.js";

/** A token of a query. `text`: a bare word; `string`: a quoted one, with its escapes resolved. */
export type QueryToken = QuerySpan &
  (
    | { readonly type: "open" | "close" | "and" | "or" | "end" }
    | { readonly type: "comparison"; readonly comparison: QueryOperator }
    | { readonly type: "text" | "string"; readonly value: string }
  );

/** Keywords, in any letter case. To be a value they must be quoted. */
const words: Readonly<Record<string, { type: "and" | "or" } | { type: "comparison"; comparison: QueryOperator }>> = {
  and: { type: "and" },
  or: { type: "or" },
  is: { type: "comparison", comparison: "=" },
  eq: { type: "comparison", comparison: "=" },
  has: { type: "comparison", comparison: "~" },
};

/** Whether a word in lower case is a keyword of queries. */
export function isQueryWord(word: string): boolean {
  return Object.hasOwn(words, word);
}

const pattern = /(\s+)|([()])|(!=|>=|<=|=|~|>|<)|"((?:[^"\\]|\\[^]|"")*)"|([^\s()"=!~<>]+)/uy;

/**
 * Splits a query; the last token is `end`.
 *
 * @throws QueryFault at a quote that is not closed, or an unknown sign
 */
export function tokenise(query: string): QueryToken[] {
  const tokens: QueryToken[] = [];
  for (let at = 0; at < query.length;) {
    pattern.lastIndex = at;
    const match = pattern.exec(query);
    if (match === null) throw strayAt(query, at);
    const [{ length }, space, bracket, comparison, string, word] = match;
    const span = { at, length };
    if (bracket !== undefined) tokens.push({ ...span, type: bracket === "(" ? "open" : "close" });
    else if (comparison !== undefined)
      tokens.push({ ...span, type: "comparison", comparison: comparison as QueryOperator });
    else if (string !== undefined) tokens.push({ ...span, type: "string", value: unescaped(string) });
    else if (word !== undefined) tokens.push({ ...span, ...wordToken(word) });
    else if (space === undefined) throw strayAt(query, at);
    at += length;
  }
  return [...tokens, { at: query.length, length: 0, type: "end" }];
}

function wordToken(word: string): { type: "text"; value: string } | (typeof words)[string] {
  const meaning = isQueryWord(word.toLowerCase()) ? words[word.toLowerCase()] : undefined;
  return meaning ?? { type: "text", value: word };
}

function strayAt(query: string, at: number): QueryFault {
  if (query[at] === '"') {
    return new QueryFault({ at, length: query.length - at }, 'a quoted text is not closed: add a " at its end');
  }
  return new QueryFault(
    { at, length: 1 },
    `${quoted(query[at] ?? "")} has no meaning here: quote it, or write != for 'is not'`,
  );
}

const escapes: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t" };

/** Resolves escapes: `\"` and `""` to a quote, `\\`, `\n`, `\r`, `\t`. Other backslashes are literal. */
function unescaped(string: string): string {
  return string.replace(/""|\\([^])/gu, (whole, escaped: string | undefined) => {
    if (escaped === undefined || escaped === '"') return '"';
    return escaped === "\\" ? "\\" : (escapes[escaped] ?? whole);
  });
}

/** Quotes a text so that {@link tokenise} reads it back unchanged. */
export function quoteValue(value: string): string {
  return `"${value.replace(/["\\]/g, String.raw`\$&`)}"`;
}
