import { templateLengthMax } from "./evaluate.js";
import { Decimal } from "./values/decimal.js";
import type { Node } from "./language/node.js";
import { parseTemplate } from "./language/template.js";

/**
 * The paths of the context that a template mentions: `@fields.age` gives `["fields", "age"]`, as does
 * `@(fields["age"] + 1)`. Names in lower case, each path once, in order.
 *
 * @param rootNames - the roots that count, in lower case
 */
export function referencesOf(template: string, rootNames: readonly string[]): string[][] {
  return collect(template, rootNames, partsOf, pathOf);
}

/**
 * The paths of {@link referencesOf} without which the template fails: those that every evaluation looks up after a point.
 * `default(fields.age, 0)`, a branch of `if` and `fields["age"]` do without the field.
 */
export function neededReferencesOf(template: string, rootNames: readonly string[]): string[][] {
  // Such a template fails even with everything that it refers to.
  if (template.length >= templateLengthMax) return [];
  return collect(template, rootNames, neededPartsOf, dottedPathOf);
}

function collect(
  template: string,
  rootNames: readonly string[],
  parts: (node: Node) => readonly Node[],
  path: (node: Node) => string[] | undefined,
): string[][] {
  const roots = new Set(rootNames);
  const found = new Map<string, string[]>();
  for (const segment of parseTemplate(template)) {
    if (segment.kind === "literal" || "fault" in segment.body) continue;
    for (const one of pathsOf(segment.body.node, parts, path)) {
      if (roots.has(one[0] ?? "")) found.set(one.join("."), one);
    }
  }
  return [...found.values()];
}

/** A node to be visited, with the parameters of anonymous functions around it, which are no roots. */
interface Visit {
  readonly node: Node;
  readonly bound: ReadonlySet<string>;
}

/** Paths of an expression, in order. A stack instead of recursion, because chains of operators are as deep as long. */
function pathsOf(
  root: Node,
  parts: (node: Node) => readonly Node[],
  path: (node: Node) => string[] | undefined,
): string[][] {
  const paths: string[][] = [];
  const visits: Visit[] = [{ node: root, bound: new Set() }];
  for (let visit = visits.pop(); visit !== undefined; visit = visits.pop()) {
    const { node, bound } = visit;
    const found = path(node);
    if (found === undefined) {
      const inner = node.kind === "lambda" ? new Set([...bound, ...node.parameters]) : bound;
      for (const part of parts(node).toReversed()) visits.push({ node: part, bound: inner });
    } else if (!bound.has(found[0] ?? "")) {
      paths.push(found);
    }
  }
  return paths;
}

function partsOf(node: Node): readonly Node[] {
  switch (node.kind) {
    case "literal":
    case "reference":
      return [];
    case "lambda":
      return [node.body];
    case "property":
    case "negation":
      return [node.of];
    case "item":
      return [node.of, node.key];
    case "binary":
      return [node.of, node.right];
    case "call":
      return [node.of, ...node.args];
  }
}

/** Functions of which only the first argument is always evaluated. */
const mayStopAtFirst: ReadonlySet<string> = new Set(["if", "and", "or"]);

/** Functions that accept an error as an argument. */
export const takesErrors: ReadonlySet<string> = new Set(["default", "is_error", "has_error"]);

/** The parts of a node that make the whole node fail when they fail. */
function neededPartsOf(node: Node): readonly Node[] {
  if (node.kind === "lambda") return [];
  if (node.kind !== "call" || node.of.kind !== "reference") return partsOf(node);
  if (takesErrors.has(node.of.name)) return [];
  return mayStopAtFirst.has(node.of.name) ? node.args.slice(0, 1) : partsOf(node);
}

/** The path of a chain of look-ups with constant names; undefined: the node is none. */
function pathOf(node: Node): string[] | undefined {
  const names: string[] = [];
  let at = node;
  while (at.kind === "property" || (at.kind === "item" && at.key.kind === "literal")) {
    const name = at.kind === "property" ? at.name : constantName(at.key);
    if (name === undefined) return undefined;
    names.unshift(name.toLowerCase());
    at = at.of;
  }
  return at.kind === "reference" ? [at.name, ...names] : undefined;
}

/** {@link pathOf} a chain of points only: a missing name in brackets is null. */
function dottedPathOf(node: Node): string[] | undefined {
  for (let at = node; at.kind !== "reference"; at = at.of) if (at.kind !== "property") return undefined;
  return pathOf(node);
}

function constantName(key: Node): string | undefined {
  if (key.kind !== "literal") return undefined;
  const { value } = key;
  return typeof value === "string" || value instanceof Decimal ? value.toString() : undefined;
}
