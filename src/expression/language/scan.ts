import { characterAt, isNameCharacter } from "./characters.js";

/** A piece of a template (docs/reference/flows.md#scanning). */
export type Piece =
  | { readonly kind: "literal"; readonly text: string }
  /** `@contact.name`; it is text if the context has no such root. */
  | { readonly kind: "identifier"; readonly source: string }
  /** `@(…)`, without `@(` and `)`. */
  | { readonly kind: "expression"; readonly source: string };

/** Splits a template into its pieces. Adjacent literals are joined. */
export function scanTemplate(template: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let literal = "";
  let index = 0;
  while (index < template.length) {
    const at = template.indexOf("@", index);
    if (at === -1) break;
    literal += template.slice(index, at);
    const next = characterAt(template, at + 1);
    if (next === "@") {
      literal += "@";
      index = at + 2;
    } else if (next === "(") {
      const end = expressionEnd(template, at + 2);
      if (end === undefined) {
        index = at;
        break;
      }
      add({ kind: "expression", source: template.slice(at + 2, end) });
      index = end + 1;
    } else if (next !== "" && isNameCharacter(next)) {
      index = identifierEnd(template, at + 1);
      add({ kind: "identifier", source: template.slice(at + 1, index) });
    } else {
      literal += "@";
      index = at + 1;
    }
  }
  literal += template.slice(index);
  if (literal !== "") pieces.push({ kind: "literal", text: literal });
  return pieces;

  function add(piece: Piece): void {
    if (literal !== "") pieces.push({ kind: "literal", text: literal });
    literal = "";
    pieces.push(piece);
  }
}

/** Index of the parenthesis that closes an expression; undefined: none does. Parentheses in text literals do not count. */
function expressionEnd(template: string, start: number): number | undefined {
  let depth = 1;
  for (let index = start; index < template.length; index++) {
    const character = template[index];
    if (character === '"') index = literalEnd(template, index);
    else if (character === "(") depth++;
    else if (character === ")" && --depth === 0) return index;
  }
  return undefined;
}

/** Index of the quote that closes a text literal, or of the end of the template. */
function literalEnd(template: string, start: number): number {
  for (let index = start + 1; index < template.length; index++) {
    if (template[index] === "\\") index++;
    else if (template[index] === '"') return index;
  }
  return template.length;
}

/** Index after a name with its properties: a point belongs to it only before another name character. */
function identifierEnd(template: string, start: number): number {
  let index = start;
  for (;;) {
    const character = characterAt(template, index);
    if (character === ".") {
      const next = characterAt(template, index + 1);
      if (next === "" || !isNameCharacter(next)) return index;
      index++;
    } else if (character === "" || !isNameCharacter(character)) {
      return index;
    } else {
      index += character.length;
    }
  }
}
