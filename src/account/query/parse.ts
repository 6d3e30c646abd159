import { type ContactQueryError, QueryFault, quoted, type QuerySpan } from "./query-fault.js";
import { formatContactQuery } from "./format.js";
import { type QueryToken, tokenise } from "./lexer.js";
import { checkCondition, type ContactQuerySchema, resolveProperty, splitUrn } from "./property.js";
import type { QueryOperator, ContactQuery, QueryCondition } from "./query.js";

/** Maximum length of a query in UTF-16 units, both as written and in its canonical form. */
export const contactQueryLengthMax = 10_000;

/** Maximum nesting of brackets. */
const depthMax = 50;

export type ContactQueryReading =
  { readonly ok: true; readonly query: ContactQuery } | { readonly ok: false; readonly error: ContactQueryError };

/**
 * Reads the query of a smart group: conditions such as `age > 18`, `gender = "F"`, `name has joe`, `created_on >=
 * 2018-03-01`, `group = "Field staff"`, joined by AND, OR and brackets. AND binds stronger than OR, and adjacent
 * conditions are joined by AND. A lone word searches the name, a lone number the phone number, and a lone `scheme:path`
 * finds that address. `= ""` means not set, `!= ""` means set. The language follows the service of 2017 to 2020; `~`
 * works on text and place fields, as before 2020.
 *
 * Never throws: length and depth are bounded.
 */
export function parseContactQuery(text: string, schema: ContactQuerySchema): ContactQueryReading {
  try {
    const whole = { at: 0, length: text.length };
    if (text.length > contactQueryLengthMax) throw tooLong(whole, text.length);
    if (text.trim() === "") throw new QueryFault(whole, "a query needs at least one condition, such as age > 18");
    const query = new Parser(text, schema).parse();
    const { length } = formatContactQuery(query);
    if (length > contactQueryLengthMax) throw tooLong(whole, length);
    return { ok: true, query };
  } catch (fault) {
    if (!(fault instanceof QueryFault)) throw fault;
    const { span, message, field } = fault;
    const error = { column: span.at + 1, length: span.length, message, field };
    return { ok: false, error };
  }
}

function tooLong(span: QuerySpan, length: number): QueryFault {
  return new QueryFault(span, `a query has at most ${contactQueryLengthMax} characters, this one has ${length}`);
}

/** A lone number with any grouping of its digits; a whole query can be one: `(0788) 123-456`. */
const phoneNumber = /^\+?[\d\s()./-]+$/;

class Parser {
  readonly #text: string;
  readonly #tokens: readonly QueryToken[];
  readonly #schema: ContactQuerySchema;
  #next = 0;

  constructor(text: string, schema: ContactQuerySchema) {
    this.#text = text;
    this.#tokens = tokenise(text);
    this.#schema = schema;
  }

  parse(): ContactQuery {
    if (this.#isPhone(this.#text)) return this.#alone(this.#text, { at: 0, length: this.#text.length });
    const query = this.#or(0);
    const token = this.#peek();
    if (token.type !== "end")
      throw new QueryFault(token, `${this.#words(token)} has no opening bracket: add a ( before it`);
    return query;
  }

  #or(depth: number): ContactQuery {
    const parts = [this.#and(depth)];
    while (this.#skipIf("or")) parts.push(this.#and(depth));
    return combine("or", parts);
  }

  #and(depth: number): ContactQuery {
    const parts = [this.#part(depth)];
    for (;;) {
      const { type } = this.#peek();
      if (type === "end" || type === "close" || type === "or") return combine("and", parts);
      this.#skipIf("and");
      parts.push(this.#part(depth));
    }
  }

  /** Brackets, or one condition. */
  #part(depth: number): ContactQuery {
    const token = this.#advance();
    if (token.type === "open") return this.#brackets(token, depth + 1);
    if (token.type !== "text" && token.type !== "string") {
      throw new QueryFault(token, `expected a condition, got ${this.#words(token)}`);
    }
    const comparison = this.#peek();
    if (comparison.type !== "comparison") return this.#alone(token.value, token);
    this.#advance();
    if (token.type === "string") {
      throw new QueryFault(
        token,
        `a property before ${this.#words(comparison)} must have no quotes, got ${this.#words(token)}`,
      );
    }
    const property = resolveProperty(token.value, token, this.#schema);
    const value = this.#advance();
    if (value.type !== "text" && value.type !== "string") {
      throw new QueryFault(value, `a value must follow ${this.#words(comparison)}, got ${this.#words(value)}`);
    }
    return checkCondition(
      {
        property,
        comparison: comparison.comparison,
        comparisonSpan: comparison,
        value: value.value,
        valueSpan: value,
      },
      this.#schema,
    );
  }

  #brackets(open: QueryToken, depth: number): ContactQuery {
    if (depth > depthMax) throw new QueryFault(open, `brackets nest at most ${depthMax} levels deep`);
    const query = this.#or(depth);
    if (!this.#skipIf("close")) throw new QueryFault(open, "this bracket is not closed: add a ) where it ends");
    return query;
  }

  /** The condition of a lone value: a phone number, an address, else a name. */
  #alone(value: string, span: QuerySpan): QueryCondition {
    const condition = (word: string, comparison: QueryOperator, sought: string): QueryCondition => {
      const property = resolveProperty(word, span, this.#schema);
      return checkCondition(
        { property, comparison, comparisonSpan: span, value: sought, valueSpan: span },
        this.#schema,
      );
    };
    if (this.#isPhone(value)) return condition("tel", "~", value.replace(/[^\d+]/g, ""));
    const urn = this.#schema.isAnonymous ? undefined : splitUrn(value);
    return urn === undefined ? condition("name", "~", value) : condition(urn.property.name, "=", urn.path);
  }

  /** Where addresses are hidden, a lone value always searches the name. */
  #isPhone(value: string): boolean {
    return !this.#schema.isAnonymous && phoneNumber.test(value.trim()) && /\d/.test(value);
  }

  #peek(): QueryToken {
    return this.#tokens[this.#next] ?? { at: this.#text.length, length: 0, type: "end" };
  }

  #advance(): QueryToken {
    const token = this.#peek();
    this.#next++;
    return token;
  }

  #skipIf(type: QueryToken["type"]): boolean {
    if (this.#peek().type !== type) return false;
    this.#next++;
    return true;
  }

  #words({ type, at, length }: QueryToken): string {
    return type === "end" ? "the end" : quoted(this.#text.slice(at, at + length));
  }
}

function combine(kind: "and" | "or", parts: readonly ContactQuery[]): ContactQuery {
  const [only, ...more] = parts.flatMap((part) => (part.kind === kind ? part.parts : [part]));
  if (only === undefined) throw new Error("a combination needs at least one part, got none");
  return more.length === 0 ? only : { kind, parts: [only, ...more] };
}
