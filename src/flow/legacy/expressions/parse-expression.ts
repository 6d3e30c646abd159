/** An expression of the legacy language. Operators and literals keep their spelling. */
export type Expression =
  | { readonly kind: "number"; readonly text: string }
  /** `text` is the part between the quotes, with `""` for a quote. */
  | { readonly kind: "string"; readonly text: string }
  | { readonly kind: "truth"; readonly value: boolean }
  | { readonly kind: "name"; readonly path: string }
  | { readonly kind: "call"; readonly name: string; readonly operands: readonly Expression[] }
  | { readonly kind: "negation"; readonly operand: Expression }
  | { readonly kind: "group"; readonly inner: Expression }
  | {
      readonly kind: "operation";
      readonly operator: LegacyOperator;
      readonly left: Expression;
      readonly right: Expression;
    };

export type LegacyOperator = "^" | "*" | "/" | "+" | "-" | "<" | "<=" | ">" | ">=" | "=" | "<>" | "&";

/** Binding power of each operator. All are left-associative; a sign binds stronger than all of them. */
const powers: Readonly<Record<string, number>> = {
  "&": 1,
  "=": 2,
  "<>": 2,
  "<": 3,
  "<=": 3,
  ">": 3,
  ">=": 3,
  "+": 4,
  "-": 4,
  "*": 5,
  "/": 5,
  "^": 6,
};
const signPower = 7;

/** Nesting beyond which an expression counts as malformed: hand-written ones stay below 20. */
const mostNested = 100;

type LegacyTokenKind = "number" | "string" | "name" | "symbol" | "end";

interface LegacyToken {
  readonly kind: LegacyTokenKind;
  readonly text: string;
}

const tokenForms: readonly (readonly [LegacyTokenKind, RegExp])[] = [
  ["number", /\d+(?:\.\d+)?/y],
  ["string", /"(?:[^"]|"")*"/y],
  ["name", /\p{L}[\p{L}\p{Nd}_.]*/uy],
  ["symbol", /<=|<>|>=|[-,()+*/^=<>&]/y],
];

/**
 * Parses an expression of the legacy language (docs/reference/flows.md#legacy-expressions).
 *
 * @returns undefined when it is malformed or nested deeper than 100 levels
 */
export function parseExpression(text: string): Expression | undefined {
  const tokens = tokenize(text);
  if (tokens === undefined) return undefined;
  try {
    return new Parser(tokens).parseAll();
  } catch (error) {
    if (error instanceof Malformed) return undefined;
    throw error;
  }
}

function tokenize(text: string): LegacyToken[] | undefined {
  const tokens: LegacyToken[] = [];
  let at = 0;
  const blank = /[ \t\n\r]*/y;
  for (;;) {
    blank.lastIndex = at;
    at += blank.exec(text)?.[0].length ?? 0;
    if (at >= text.length) return tokens;
    const token = tokenAt(text, at);
    if (token === undefined) return undefined;
    tokens.push(token);
    at += token.text.length;
  }
}

function tokenAt(text: string, at: number): LegacyToken | undefined {
  for (const [kind, form] of tokenForms) {
    form.lastIndex = at;
    const match = form.exec(text);
    if (match !== null) return { kind, text: match[0] };
  }
  return undefined;
}

class Malformed extends Error {}

const end: LegacyToken = { kind: "end", text: "" };

class Parser {
  readonly #tokens: readonly LegacyToken[];
  #at = 0;
  #depth = 0;

  constructor(tokens: readonly LegacyToken[]) {
    this.#tokens = tokens;
  }

  parseAll(): Expression {
    const expression = this.#parse(0);
    if (this.#next().kind !== "end") throw new Malformed();
    return expression;
  }

  /** Precedence climbing: parses operators with a power above `power`. */
  #parse(power: number): Expression {
    if (++this.#depth > mostNested) throw new Malformed();
    let left = this.#parseOperand();
    for (;;) {
      const { kind, text } = this.#peek();
      const own = kind === "symbol" ? powers[text] : undefined;
      if (own === undefined || own <= power) break;
      this.#at++;
      left = { kind: "operation", operator: text as LegacyOperator, left, right: this.#parse(own) };
    }
    this.#depth--;
    return left;
  }

  #parseOperand(): Expression {
    const token = this.#next();
    switch (token.kind) {
      case "number":
        return { kind: "number", text: token.text };
      case "string":
        return { kind: "string", text: token.text.slice(1, -1) };
      case "name":
        return this.#parseName(token.text);
      case "symbol":
        if (token.text === "-") return { kind: "negation", operand: this.#parse(signPower) };
        if (token.text === "(") return { kind: "group", inner: this.#parseGroup() };
        throw new Malformed();
      case "end":
        throw new Malformed();
    }
  }

  #parseName(name: string): Expression {
    if (this.#takeSymbol("(")) return { kind: "call", name: name.toLowerCase(), operands: this.#parseOperands() };
    const word = name.toLowerCase();
    return word === "true" || word === "false"
      ? { kind: "truth", value: word === "true" }
      : { kind: "name", path: name };
  }

  #parseGroup(): Expression {
    const inner = this.#parse(0);
    if (!this.#takeSymbol(")")) throw new Malformed();
    return inner;
  }

  #parseOperands(): Expression[] {
    if (this.#takeSymbol(")")) return [];
    const operands = [this.#parse(0)];
    while (this.#takeSymbol(",")) operands.push(this.#parse(0));
    if (!this.#takeSymbol(")")) throw new Malformed();
    return operands;
  }

  #peek(): LegacyToken {
    return this.#tokens[this.#at] ?? end;
  }

  #next(): LegacyToken {
    const token = this.#peek();
    this.#at++;
    return token;
  }

  #takeSymbol(symbol: string): boolean {
    const { kind, text } = this.#peek();
    if (kind !== "symbol" || text !== symbol) return false;
    this.#at++;
    return true;
  }
}
