import { checkedNumber, Decimal } from "../values/decimal.js";
import type { Node, Operator } from "./node.js";
import { textOfLiteral } from "./text-literal.js";
import { readTokens, type Token } from "./tokens.js";

/** Why a text is no expression. */
export interface SyntaxFault {
  readonly message: string;
}

/** Deepest nesting of parentheses, arguments and keys. */
const nestingMax = 150;
/** Characters of the source that a message shows. */
const shownCharacters = 10;

/** Binding strength of the binary operators; all are left-associative. */
const strengths: Readonly<Record<Operator, number>> = {
  "&": 1,
  "=": 2,
  "!=": 2,
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

const keywords: ReadonlyMap<string, boolean | null> = new Map([
  ["true", true],
  ["false", false],
  ["null", null],
]);

/** Parses an expression, written without `@(` and `)`. */
export function parseExpression(source: string): Node | SyntaxFault {
  const parser = new Parser(source);
  try {
    return parser.parseAll();
  } catch (error) {
    if (error instanceof Unexpected) return { message: error.message };
    throw error;
  }
}

/** Whether parsing failed. */
export function isFault(parsed: Node | SyntaxFault): parsed is SyntaxFault {
  return "message" in parsed;
}

/** Ends the parsing; never leaves this file. */
class Unexpected extends Error {}

/** Pratt parser: a loop over operators whose strength is at least the asked one. */
class Parser {
  readonly #source: string;
  readonly #tokens: readonly Token[];
  #index = 0;
  #nesting = 0;

  constructor(source: string) {
    this.#source = source;
    this.#tokens = readTokens(source);
  }

  parseAll(): Node {
    const node = this.#parseBinary(1);
    if (this.#token.kind !== "end") this.#fail();
    return node;
  }

  get #token(): Token {
    return this.#peek(0);
  }

  #peek(ahead: number): Token {
    return this.#tokens[this.#index + ahead] ?? { kind: "end", text: "", start: this.#source.length };
  }

  #parseBinary(strength: number): Node {
    if (++this.#nesting > nestingMax) throw new Unexpected("expression is nested too deeply");
    let left = this.#parseUnary();
    for (;;) {
      const operator = this.#operatorOfAtLeast(strength);
      if (operator === undefined) break;
      this.#index++;
      left = { kind: "binary", of: left, operator, right: this.#parseBinary(strengths[operator] + 1) };
    }
    this.#nesting--;
    return left;
  }

  #operatorOfAtLeast(strength: number): Operator | undefined {
    const { kind, text } = this.#token;
    if (kind !== "mark" || !Object.hasOwn(strengths, text)) return undefined;
    const operator = text as Operator;
    return strengths[operator] >= strength ? operator : undefined;
  }

  #parseUnary(): Node {
    let negations = 0;
    while (this.#accepts("-")) negations++;
    let node = this.#parsePrimary();
    for (; negations > 0; negations--) node = { kind: "negation", of: node };
    return node;
  }

  #parsePrimary(): Node {
    const token = this.#token;
    if (token.kind === "number") {
      this.#index++;
      return { kind: "literal", value: checkedNumber(new Decimal(token.text)) };
    }
    if (token.kind === "text") {
      this.#index++;
      return { kind: "literal", value: textOfLiteral(token.text) };
    }
    const keyword = token.kind === "name" ? keywords.get(token.text.toLowerCase()) : undefined;
    if (keyword !== undefined) {
      this.#index++;
      return { kind: "literal", value: keyword };
    }
    return this.#isLambda() ? this.#parseLambda() : this.#parseAtom();
  }

  /** `(name) =>` or `(name,`, which nothing else begins with. */
  #isLambda(): boolean {
    if (this.#token.text !== "(" || !isPlainName(this.#peek(1))) return false;
    return this.#peek(2).text === "," || (this.#peek(2).text === ")" && this.#peek(3).text === "=>");
  }

  #parseLambda(): Node {
    const parameters: string[] = [];
    this.#expect("(");
    do {
      parameters.push(this.#parseName().toLowerCase());
    } while (this.#accepts(","));
    this.#expect(")");
    this.#expect("=>");
    return { kind: "lambda", parameters, body: this.#parseBinary(1) };
  }

  /** A name or parentheses, then any number of calls and look-ups. Literals take none. */
  #parseAtom(): Node {
    const { start } = this.#token;
    let node: Node;
    if (this.#accepts("(")) {
      node = this.#parseBinary(1);
      this.#expect(")");
    } else {
      node = { kind: "reference", name: this.#parseName().toLowerCase() };
    }
    for (;;) {
      const written = this.#source.slice(start, this.#token.start).trimEnd();
      if (this.#accepts("(")) {
        const source = node.kind === "reference" ? node.name : written;
        node = { kind: "call", of: node, args: this.#parseArguments(), source };
      } else if (this.#accepts("[")) {
        node = { kind: "item", of: node, key: this.#parseBinary(1) };
        this.#expect("]");
      } else if (this.#accepts(".")) {
        node = { kind: "property", of: node, name: this.#parsePropertyName() };
      } else {
        return node;
      }
    }
  }

  #parseArguments(): Node[] {
    const args: Node[] = [];
    if (this.#accepts(")")) return args;
    do {
      args.push(this.#parseBinary(1));
    } while (this.#accepts(","));
    this.#expect(")");
    return args;
  }

  #parsePropertyName(): string {
    const token = this.#token;
    if (token.kind !== "number" || token.text.includes(".")) return this.#parseName();
    this.#index++;
    return token.text;
  }

  #parseName(): string {
    const token = this.#token;
    if (!isPlainName(token)) this.#fail();
    this.#index++;
    return token.text;
  }

  #accepts(mark: string): boolean {
    const isThere = this.#token.kind === "mark" && this.#token.text === mark;
    if (isThere) this.#index++;
    return isThere;
  }

  #expect(mark: string): void {
    if (!this.#accepts(mark)) this.#fail();
  }

  #fail(): never {
    const line = this.#source.slice(this.#token.start).split("\n", 1)[0] ?? "";
    throw new Unexpected(`syntax error at ${line.slice(0, shownCharacters)}`);
  }
}

function isPlainName({ kind, text }: Token): boolean {
  return kind === "name" && !keywords.has(text.toLowerCase());
}
