import { isKnownFunction } from "./functions/registry.js";
import type { Node } from "./language/node.js";
import { parseTemplate } from "./language/template.js";
import { takesErrors } from "./references.js";

/** A part of a template that fails in each evaluation, whatever the context holds. */
export interface TemplateFault {
  /** `unclosed`: an `@(` without its `)` stays as text. `root`: a name that is neither a root nor a function. */
  readonly kind: "syntax" | "unclosed" | "function" | "root";
  /** As written, with `@`. */
  readonly source: string;
  /** The unknown name; for `syntax` the message of the parser. */
  readonly detail: string;
}

/**
 * The parts of a template that cannot be evaluated: each once. `@name` with an unknown root is text, not a fault.
 *
 * @param roots - the roots of the context, in lower case
 */
export function templateFaults(template: string, roots: ReadonlySet<string>): readonly TemplateFault[] {
  const faults: TemplateFault[] = [];
  for (const segment of parseTemplate(template)) {
    if (segment.kind === "literal") continue;
    if (segment.kind === "identifier" && !roots.has(segment.root)) continue;
    const { source, body } = segment;
    if ("fault" in body) faults.push({ kind: "syntax", source, detail: body.fault });
    else for (const fault of nameFaults(body.node, roots)) faults.push({ ...fault, source });
  }
  const [open] = literalsOf(template.replaceAll("@@", "")).flatMap((text) => unclosedForm.exec(text)?.[0] ?? []);
  if (open !== undefined) faults.push({ kind: "unclosed", source: open, detail: "" });
  return faults;
}

/** The literal texts of a template, in order: what is left without its expressions. */
export function literalsOf(template: string): readonly string[] {
  return parseTemplate(template).flatMap((segment) => (segment.kind === "literal" ? [segment.text] : []));
}

/** The expressions of a template with their `@`, as written and in order. */
export function expressionsOf(template: string): readonly string[] {
  return parseTemplate(template).flatMap((segment) => (segment.kind === "literal" ? [] : [segment.source]));
}

/** An `@(` with the begin of an expression, not an emoticon. */
const unclosedForm = /@\(\s*(?:"|\d|\p{L}\w*\s*[(.+\-*/&=<>]).*/u;

type NameFault = Pick<TemplateFault, "kind" | "detail">;

/** Unknown names of an expression. A stack instead of recursion, because chains of operators are as deep as long. */
function nameFaults(root: Node, roots: ReadonlySet<string>): readonly NameFault[] {
  const found = new Map<string, NameFault>();
  const visits: { readonly node: Node; readonly bound: ReadonlySet<string> }[] = [{ node: root, bound: new Set() }];
  for (let visit = visits.pop(); visit !== undefined; visit = visits.pop()) {
    const { node, bound } = visit;
    const visitAll = (nodes: readonly Node[], names = bound): void => {
      for (const one of nodes.toReversed()) visits.push({ node: one, bound: names });
    };
    switch (node.kind) {
      case "literal":
        break;
      case "reference": {
        const { name } = node;
        const isKnown = roots.has(name) || bound.has(name) || isKnownFunction(name);
        if (!isKnown) found.set(name, { kind: "root", detail: name });
        break;
      }
      case "lambda":
        visitAll([node.body], new Set([...bound, ...node.parameters]));
        break;
      case "property":
      case "negation":
        visitAll([node.of]);
        break;
      case "item":
        visitAll([node.of, node.key]);
        break;
      case "binary":
        visitAll([node.of, node.right]);
        break;
      case "call": {
        const name = node.of.kind === "reference" ? node.of.name : undefined;
        if (name === undefined) visitAll([node.of]);
        else if (!isKnownFunction(name) && !bound.has(name)) found.set(`${name}()`, { kind: "function", detail: name });
        if (name === undefined || !takesErrors.has(name)) visitAll(node.args);
      }
    }
  }
  return [...found.values()];
}
