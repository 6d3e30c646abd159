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
  const roots = new Set(rootNames);
  const paths = new Map<string, string[]>();
  for (const segment of parseTemplate(template)) {
    if (segment.kind === "literal" || "fault" in segment.body) continue;
    for (const path of pathsOf(segment.body.node)) {
      if (roots.has(path[0] ?? "")) paths.set(path.join("."), path);
    }
  }
  return [...paths.values()];
}

/** A node to be visited, with the parameters of anonymous functions around it, which are no roots. */
interface Visit {
  readonly node: Node;
  readonly bound: ReadonlySet<string>;
}

/** Paths of an expression, in order. A stack instead of recursion, because chains of operators are as deep as long. */
function pathsOf(root: Node): string[][] {
  const paths: string[][] = [];
  const visits: Visit[] = [{ node: root, bound: new Set() }];
  for (let visit = visits.pop(); visit !== undefined; visit = visits.pop()) {
    const { node, bound } = visit;
    const path = pathOf(node);
    if (path === undefined) {
      const inner = node.kind === "lambda" ? new Set([...bound, ...node.parameters]) : bound;
      for (const part of partsOf(node).toReversed()) visits.push({ node: part, bound: inner });
    } else if (!bound.has(path[0] ?? "")) {
      paths.push(path);
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

function constantName(key: Node): string | undefined {
  if (key.kind !== "literal") return undefined;
  const { value } = key;
  return typeof value === "string" || value instanceof Decimal ? value.toString() : undefined;
}
