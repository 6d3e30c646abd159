import { beginsName, characterAt, isDigitCode, isNameCharacter } from "./characters.js";

/** Kind of a token: a name, number, text literal, operator or mark as written, the end, or a character of no token. */
export type TokenKind = "name" | "number" | "text" | "mark" | "end" | "unknown";

export interface Token {
  readonly kind: TokenKind;
  /** As written; text literals with their quotes. */
  readonly text: string;
  /** Index in the source. */
  readonly start: number;
}

/** Longer marks before those that they begin with. */
const marks = "=> != <= >= ( ) [ ] , . + - * / ^ & = < >".split(" ");

/** The tokens of an expression, the end last. */
export function readTokens(source: string): readonly Token[] {
  const tokens: Token[] = [];
  let index = 0;
  while (index < source.length) {
    if (" \t\n\r".includes(source[index] ?? "")) {
      index++;
      continue;
    }
    const token = tokenAt(source, index);
    tokens.push(token);
    index += token.text.length;
  }
  tokens.push({ kind: "end", text: "", start: source.length });
  return tokens;
}

function tokenAt(source: string, start: number): Token {
  const character = characterAt(source, start);
  if (character === '"') return textAt(source, start);
  if (isDigitCode(character.charCodeAt(0))) return { kind: "number", text: numberAt(source, start), start };
  if (beginsName(character)) return { kind: "name", text: nameAt(source, start), start };
  const mark = marks.find((each) => source.startsWith(each, start));
  return mark === undefined ? { kind: "unknown", text: character, start } : { kind: "mark", text: mark, start };
}

function textAt(source: string, start: number): Token {
  for (let index = start + 1; index < source.length; index++) {
    if (source[index] === "\\") index++;
    else if (source[index] === '"') return { kind: "text", text: source.slice(start, index + 1), start };
  }
  return { kind: "unknown", text: '"', start };
}

/** Digits, perhaps with a point and more digits. */
function numberAt(source: string, start: number): string {
  const whole = digitsEnd(source, start);
  const hasFraction = source[whole] === "." && isDigitCode(source.charCodeAt(whole + 1));
  return source.slice(start, hasFraction ? digitsEnd(source, whole + 1) : whole);
}

function digitsEnd(source: string, start: number): number {
  let index = start;
  while (isDigitCode(source.charCodeAt(index))) index++;
  return index;
}

function nameAt(source: string, start: number): string {
  let index = start;
  for (;;) {
    const character = characterAt(source, index);
    if (character === "" || !isNameCharacter(character)) return source.slice(start, index);
    index += character.length;
  }
}
