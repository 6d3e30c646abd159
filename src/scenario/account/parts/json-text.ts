import { readYaml, sourceOf } from "../../sheet/document.js";
import { Problems } from "../../sheet/problems.js";

/** The value of a JSON text; or the place of its first fault, line and column counted from 1. */
export type JsonReading =
  { readonly value: unknown } | { readonly offset: number; readonly line: number; readonly column: number };

/** Reads JSON. */
export function readJsonText(text: string): JsonReading {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch (error) {
    const offset = placeOfFault(text, error instanceof Error ? error.message : "");
    return { offset, ...sourceOf("", text).positionAt(offset) };
  }
}

/** JSON.parse gives the position of some faults only. JSON is YAML, so `readYaml` finds most other positions. */
function placeOfFault(text: string, message: string): number {
  const [, position] = /position (\d+)/.exec(message) ?? [];
  if (position !== undefined) return Number(position);
  const problems = new Problems();
  readYaml(sourceOf("", text), problems);
  const [first] = problems.inFileOrder();
  if (first === undefined) return text.trimEnd().length;
  const before = text.split("\n").slice(0, first.line - 1);
  return before.reduce((sum, line) => sum + line.length + 1, first.column - 1);
}
