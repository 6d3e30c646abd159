import { ownValue } from "../../../wire/index.js";
import { isInteger, migrateCall } from "./calls.js";
import type { Expression } from "./parse-expression.js";
import { migratePath } from "./paths.js";

/** Longest native expression in characters: date arithmetic repeats its operands, so nesting can double it. */
const mostCharacters = 100_000;

class NotExpressible extends Error {}

/**
 * Writes a legacy expression in the native language (docs/reference/flows.md#legacy-expressions).
 *
 * @param keepsDates - whether days stay dates instead of formatted text
 * @returns undefined when a call has the wrong number of operands, or the result exceeds 100,000 characters
 */
export function writeExpression(expression: Expression, keepsDates: boolean): string | undefined {
  try {
    return write(expression, keepsDates);
  } catch (error) {
    if (error instanceof NotExpressible) return undefined;
    throw error;
  }
}

function write(expression: Expression, keepsDates: boolean): string {
  const text = writeUnbounded(expression, keepsDates);
  if (text.length > mostCharacters) throw new NotExpressible();
  return text;
}

function writeUnbounded(expression: Expression, keepsDates: boolean): string {
  switch (expression.kind) {
    case "number":
      return expression.text;
    case "string":
      // Only the escape of quotes differs. A backslash stays: native literals with invalid escapes are taken raw.
      return `"${expression.text.replaceAll('""', '\\"')}"`;
    case "truth":
      return String(expression.value);
    case "name":
      return migratePath(expression.path, keepsDates);
    case "negation":
      return `-${write(expression.operand, keepsDates)}`;
    case "group":
      return `(${write(expression.inner, keepsDates)})`;
    case "call": {
      const operands = expression.operands.map((operand) => write(operand, keepsDates));
      const call = migrateCall(expression.name, operands);
      if (call === undefined) throw new NotExpressible();
      return call;
    }
    case "operation": {
      const left = write(expression.left, keepsDates);
      const right = write(expression.right, keepsDates);
      const { operator } = expression;
      if (operator === "+" || operator === "-") return writeSum(left, operator, right, keepsDates);
      return `${left} ${operator === "<>" ? "!=" : operator} ${right}`;
    }
  }
}

type Kind = "number" | "datetime" | "date" | "time" | "unknown";

const returnKinds: Readonly<Record<string, Kind>> = {
  abs: "number",
  max: "number",
  mean: "number",
  min: "number",
  mod: "number",
  rand: "number",
  round: "number",
  round_down: "number",
  round_up: "number",
  sum: "number",
  now: "datetime",
  datetime: "datetime",
  datetime_add: "datetime",
  datetime_from_parts: "datetime",
  date: "date",
  format_date: "date",
  today: "date",
  time: "time",
  time_from_parts: "time",
};

/** The type of a native expression, as far as its beginning says it: an integer, or the function that it calls first. */
function kindOf(expression: string): Kind {
  if (isInteger(expression)) return "number";
  const name = /^(\w+)\(/.exec(expression)?.[1];
  return ownValue(returnKinds, name ?? "") ?? "unknown";
}

/** Legacy `+` and `-` add days to dates and times to datetimes; natively each has its function. */
function writeSum(left: string, operator: "+" | "-", right: string, keepsDates: boolean): string {
  const leftKind = kindOf(left);
  const rightKind = kindOf(right);
  const sign = operator === "-" ? "-" : "";
  if (leftKind === "number" && rightKind === "number") return `${left} ${operator} ${right}`;
  if ((leftKind === "datetime" || leftKind === "date") && rightKind === "number") {
    const sum = `datetime_add(${left}, ${sign}${right}, "D")`;
    return leftKind === "date" && !keepsDates ? `format_date(${sum})` : sum;
  }
  if (leftKind === "datetime" && rightKind === "time") {
    const minutes = `format_time(${right}, "tt") * 60 + format_time(${right}, "m")`;
    return `datetime_add(${left}, ${operator === "-" ? `-(${minutes})` : minutes}, "m")`;
  }
  if (rightKind === "time" && operator === "+") return `replace_time(${left}, ${right})`;
  return `legacy_add(${left}, ${sign}${right})`;
}
