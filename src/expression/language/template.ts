import { isFault, parseExpression } from "./parse.js";
import type { Node } from "./node.js";
import { scanTemplate } from "./scan.js";

/** A parsed piece of a template. */
export type Segment =
  | { readonly kind: "literal"; readonly text: string }
  /** `source` is as written, with `@`; `root` is in lower case; it is text if the context has no such root. */
  | { readonly kind: "identifier"; readonly source: string; readonly root: string; readonly body: ExpressionBody }
  | { readonly kind: "expression"; readonly source: string; readonly body: ExpressionBody };

/** A parsed expression, or why it is none. */
export type ExpressionBody = { readonly node: Node } | { readonly fault: string };

/** Longer texts are parsed each time. */
const cachedLengthMax = 10_000;
/** The parsed forms of a character take up to 50 bytes. */
const cachedCharactersMax = 1_000_000;

/** Parsed texts. The limits bound the memory; definitions of an organisation have fewer. */
class ParseCache<T> {
  readonly #parsed = new Map<string, T>();
  #characters = 0;

  getOrParse(text: string, parse: () => T): T {
    const known = this.#parsed.get(text);
    if (known !== undefined) return known;
    const parsed = parse();
    if (text.length > cachedLengthMax) return parsed;
    this.#characters += text.length;
    if (this.#characters > cachedCharactersMax) {
      this.#parsed.clear();
      this.#characters = text.length;
    }
    this.#parsed.set(text, parsed);
    return parsed;
  }
}

const templates = new ParseCache<readonly Segment[]>();
const expressions = new ParseCache<ExpressionBody>();

/** The segments of a template, parsed once. */
export function parseTemplate(template: string): readonly Segment[] {
  return templates.getOrParse(template, () =>
    scanTemplate(template).map((piece): Segment => {
      if (piece.kind === "literal") return piece;
      const body = parseBody(piece.source);
      if (piece.kind === "expression") return { kind: "expression", source: `@(${piece.source})`, body };
      const root = piece.source.split(".", 1)[0] ?? "";
      return { kind: "identifier", source: `@${piece.source}`, root: root.toLowerCase(), body };
    }),
  );
}

/** An expression without `@( )`, parsed once. */
export function parseBody(source: string): ExpressionBody {
  return expressions.getOrParse(source, () => {
    const parsed = parseExpression(source);
    return isFault(parsed) ? { fault: parsed.message } : { node: parsed };
  });
}
