import { cutText, cutTextVisibly } from "../wire/index.js";
import type { Environment } from "./environment.js";
import { evaluateNode } from "./language/evaluate-node.js";
import { parseBody, parseTemplate, type ExpressionBody, type Segment } from "./language/template.js";
import { ErrorValue } from "./values/error-value.js";
import { depthExceeded, spend, unitsMax, withMeter, workExceeded } from "./values/meter.js";
import { textOf } from "./values/text-form.js";
import type { ObjectValue, Value } from "./values/value.js";

/** Longest text of a template, in characters; a longer one ends with "..." (docs/reference/flows.md#scanning). */
const outputMax = 10_000;
/** Longest text that is not cut to that, such as the body of a webhook. */
const uncutMax = 10_000_000;

/**
 * Units of work to parse a character of a template. A template that was parsed before counts as much, so that the work
 * of a run does not depend on what was kept.
 */
const unitsOfParsing = 0.1;

/** A template of this length or more fails, because parsing it exceeds the work of an evaluation. */
export const templateLengthMax = unitsMax / unitsOfParsing;

/** A template's text, with the failures on the way. */
export interface EvaluatedText {
  readonly text: string;
  /** One for each expression that failed, which adds nothing to the text: `error evaluating @(1 / 0): …`. */
  readonly errors: readonly string[];
}

/** A template's typed value. */
export interface EvaluatedValue extends EvaluatedText {
  /** Of a single expression its own value, which may be an error; then {@link errors} is empty and the text too. */
  readonly value: Value;
}

/** How the text is made. */
export interface TextOptions {
  /** Cuts the text to 10,000 characters, the last three of which are points; the default. */
  readonly isCut?: boolean;
  /** Applied to the text of each expression, not to the literals. */
  readonly escape?: (text: string) => string;
}

/** Text of a template. Never throws; the work of all its expressions together is bounded. */
export function evaluateTemplate(
  environment: Environment,
  context: ObjectValue,
  template: string,
  options: TextOptions = {},
): EvaluatedText {
  return withMeter(() => {
    if (!spend(template.length * unitsOfParsing)) return { text: "", errors: [workExceeded.message] };
    return textOfSegments(environment, context, parseTemplate(template), options);
  });
}

function textOfSegments(
  environment: Environment,
  context: ObjectValue,
  segments: readonly Segment[],
  { isCut = true, escape }: TextOptions,
): EvaluatedText {
  const errors: string[] = [];
  let text = "";
  const lengthMax = isCut ? 2 * outputMax : uncutMax;
  for (const segment of segments) {
    const piece = pieceOf(environment, context, segment, escape);
    if (typeof piece === "object") errors.push(piece.error);
    else if (text.length <= lengthMax) text += piece;
  }
  return { text: isCut ? cutTextVisibly(text, outputMax) : cutText(text, uncutMax), errors };
}

/** Text of a segment, or why its expression failed. */
function pieceOf(
  environment: Environment,
  context: ObjectValue,
  segment: Segment,
  escape: TextOptions["escape"],
): string | { readonly error: string } {
  if (segment.kind === "literal") return segment.text;
  if (!isLive(segment, context)) return segment.source;
  const text = textOf(evaluateBody(environment, context, segment.body));
  if (text instanceof ErrorValue) return { error: `error evaluating ${segment.source}: ${text.message}` };
  return escape === undefined ? text : escape(text);
}

/** Value of a template: typed if it is a single expression, else text. Never throws. */
export function evaluateValue(environment: Environment, context: ObjectValue, template: string): EvaluatedValue {
  return withMeter(() => {
    const trimmed = template.trim();
    if (!spend(trimmed.length * unitsOfParsing)) return { value: workExceeded, text: "", errors: [] };
    const segments = parseTemplate(trimmed);
    const [only] = segments;
    if (segments.length === 1 && only !== undefined && only.kind !== "literal" && isLive(only, context)) {
      const value = evaluateBody(environment, context, only.body);
      const text = textOf(value);
      return { value, text: text instanceof ErrorValue ? "" : text, errors: [] };
    }
    const { text, errors } = textOfSegments(environment, context, segments, {});
    return { value: text, text, errors };
  });
}

/** Value of an expression written without `@( )`. Never throws. @returns the value's message as the only error */
export function evaluateExpression(
  environment: Environment,
  context: ObjectValue,
  expression: string,
): { readonly value: Value; readonly errors: readonly string[] } {
  const value = withMeter(() => {
    const isLeft = spend(expression.length * unitsOfParsing);
    return isLeft ? evaluateBody(environment, context, parseBody(expression)) : workExceeded;
  });
  return { value, errors: value instanceof ErrorValue ? [value.message] : [] };
}

/** Whether a segment is evaluated: every expression, and identifiers whose root the context has. */
function isLive(segment: Exclude<Segment, { kind: "literal" }>, context: ObjectValue): boolean {
  return segment.kind === "expression" || context.get(segment.root) !== undefined;
}

function evaluateBody(environment: Environment, context: ObjectValue, body: ExpressionBody): Value {
  if ("fault" in body) return new ErrorValue(body.fault);
  try {
    return withMeter(() => evaluateNode(body.node, { environment, context }));
  } catch (error) {
    // The caller has used up most of the stack, or a context is nested without end.
    if (error instanceof RangeError) return depthExceeded;
    throw error;
  }
}
