import type { Environment } from "./environment.js";
import type { ObjectValue, Value } from "./values/value.js";

/** A template's text, with the failures on the way. */
export interface EvaluatedText {
  readonly text: string;
  /** One for each expression that failed; it adds nothing to the text. */
  readonly errors: readonly string[];
}

/** A template's typed value. */
export interface EvaluatedValue extends EvaluatedText {
  /** An `ErrorValue` if the template is a single expression that failed. */
  readonly value: Value;
}

/** How the text is made. */
export interface TextOptions {
  /** Cuts the text to 10,000 characters; the default. */
  readonly isCut?: boolean;
  /** Applied to the text of each expression, not to the literals. */
  readonly escape?: (text: string) => string;
}

/** Text of a template. Never throws. */
export function evaluateTemplate(
  _environment: Environment,
  _context: ObjectValue,
  template: string,
  _options: TextOptions = {},
): EvaluatedText {
  return { text: template, errors: [] };
}

/** Value of a template: typed if it is a single expression, else text. Never throws. */
export function evaluateValue(_environment: Environment, _context: ObjectValue, template: string): EvaluatedValue {
  return { value: template, text: template, errors: [] };
}

/** Value of an expression written without `@( )`. Never throws. */
export function evaluateExpression(
  _environment: Environment,
  _context: ObjectValue,
  expression: string,
): { readonly value: Value; readonly errors: readonly string[] } {
  return { value: expression, errors: [] };
}
