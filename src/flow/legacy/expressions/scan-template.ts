/** A part of a template: text as it is, a name after `@`, or an expression in `@( )`. */
export interface LegacySegment {
  readonly kind: "text" | "name" | "expression";
  /** The text itself; the name without `@`; the expression without `@(` and `)`. */
  readonly text: string;
}

/** First names of paths in legacy templates (docs/reference/flows.md#legacy-expressions). */
export const legacyRoots: ReadonlySet<string> = new Set([
  "channel",
  "child",
  "contact",
  "date",
  "embed",
  "extra",
  "flow",
  "parent",
  "step",
]);

/** A dotted path. A dot belongs to it only before another name character, so a full stop ends the path. */
const path = /[\p{L}\p{N}_]+(?:\.[\p{L}\p{N}_]+)*/uy;

/**
 * Splits a legacy template into its segments (docs/reference/flows.md#scanning). `@@`, an expression without its end and
 * a name with another root are text. Text segments stay escaped: the segments in order, with their signs, are the
 * template.
 */
export function scanTemplate(template: string): LegacySegment[] {
  const segments: LegacySegment[] = [];
  let textStart = 0;
  const add = (kind: "name" | "expression", at: number, text: string, end: number): void => {
    if (at > textStart) segments.push({ kind: "text", text: template.slice(textStart, at) });
    segments.push({ kind, text });
    textStart = end;
  };
  let at = template.indexOf("@");
  while (at !== -1) {
    let next = at + 1;
    if (template[next] === "@") next++;
    else if (template[next] === "(") {
      const end = closingParenthesis(template, next);
      if (end === -1) break;
      add("expression", at, template.slice(next + 1, end), end + 1);
      next = end + 1;
    } else {
      path.lastIndex = next;
      const name = path.exec(template)?.[0] ?? "";
      next += name.length;
      const [root = ""] = name.split(".", 1);
      if (legacyRoots.has(root.toLowerCase())) add("name", at, name, next);
    }
    at = template.indexOf("@", next);
  }
  if (textStart < template.length) segments.push({ kind: "text", text: template.slice(textStart) });
  return segments;
}

/**
 * Index of the parenthesis that closes the one at `open`; parentheses in quoted strings do not count.
 *
 * @returns -1 when it is never closed
 */
export function closingParenthesis(text: string, open: number): number {
  let depth = 0;
  let isQuoted = false;
  for (let index = open; index < text.length; index++) {
    const character = text[index];
    if (character === '"') isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (character === "(") depth++;
    else if (character === ")" && --depth === 0) return index;
  }
  return -1;
}
