import type { Value } from "../values/value.js";

/** A binary operator as written. */
export type Operator = "^" | "*" | "/" | "+" | "-" | "<" | "<=" | ">" | ">=" | "=" | "!=" | "&";

/** A node of a parsed expression (docs/reference/flows.md#grammar). */
export type Node = Leaf | NodeStep;

/** A node without an operand to its left. */
export type Leaf =
  | { readonly kind: "literal"; readonly value: Value }
  /** A root of the context, a parameter or a function; lower case. */
  | { readonly kind: "reference"; readonly name: string }
  /** `(x, y) => body`; the parameters in lower case. */
  | { readonly kind: "lambda"; readonly parameters: readonly string[]; readonly body: Node };

/** A node that works on the value of its operand, {@link NodeStep.of}. Chains of them are as deep as they are long. */
export type NodeStep =
  | { readonly kind: "negation"; readonly of: Node }
  | { readonly kind: "property"; readonly of: Node; readonly name: string }
  | { readonly kind: "item"; readonly of: Node; readonly key: Node }
  | { readonly kind: "call"; readonly of: Node; readonly args: readonly Node[]; readonly source: string }
  | { readonly kind: "binary"; readonly of: Node; readonly operator: Operator; readonly right: Node };
