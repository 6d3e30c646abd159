import {
  type Environment,
  ErrorValue,
  evaluateExpression,
  fromJson,
  ObjectValue,
  toText,
  type Value,
} from "../../src/expression/index.js";
import { environment } from "./environment.js";

/** A context of plain JSON data. */
export function contextFrom(json: Readonly<Record<string, unknown>>): ObjectValue {
  const context = fromJson(json);
  if (!(context instanceof ObjectValue)) throw new Error("a context is an object");
  return context;
}

const noContext = contextFrom({});

/** Value of an expression without a context. */
export function valueOf(expression: string, changes: Partial<Environment> = {}): Value {
  return evaluateExpression(environment(changes), noContext, expression).value;
}

/** Text of an expression's value; of an error `ERROR`. */
export function textOf(expression: string, changes: Partial<Environment> = {}): string {
  const text = toText(environment(changes), valueOf(expression, changes));
  return text instanceof ErrorValue ? "ERROR" : text;
}

/** Message of an expression that fails. */
export function messageOf(expression: string): string | undefined {
  const value = valueOf(expression);
  return value instanceof ErrorValue ? value.message : undefined;
}
