import { toNumber } from "../conversions.js";
import type { Environment } from "../environment.js";
import { checkedNumber, Decimal, divide } from "../values/decimal.js";
import { ErrorValue } from "../values/error-value.js";
import { textLengthMax, textTooLong } from "../values/limits.js";
import { spendStep, workExceeded } from "../values/meter.js";
import { textOf } from "../values/text-form.js";
import type { Value } from "../values/value.js";
import type { Operator } from "./node.js";

/** Result of a binary operator (docs/reference/flows.md#operators). The first error among the operands is the result. */
export function applyOperator(environment: Environment, operator: Operator, left: Value, right: Value): Value {
  if (operator === "&" || operator === "=" || operator === "!=") return applyTextOperator(operator, left, right);
  const first = toNumber(environment, left);
  if (first instanceof ErrorValue) return first;
  const second = toNumber(environment, right);
  return second instanceof ErrorValue ? second : applyNumberOperator(operator, first, second);
}

/** The number with the other sign. */
export function negate(environment: Environment, value: Value): Value {
  const number = toNumber(environment, value);
  return number instanceof ErrorValue ? number : checkedNumber(number.negated());
}

function applyTextOperator(operator: "&" | "=" | "!=", left: Value, right: Value): Value {
  const first = textOf(left);
  if (first instanceof ErrorValue) return first;
  const second = textOf(right);
  if (second instanceof ErrorValue) return second;
  if (!spendStep(first.length + second.length)) return workExceeded;
  if (operator !== "&") return (first === second) === (operator === "=");
  return first.length + second.length > textLengthMax ? textTooLong : first + second;
}

function applyNumberOperator(operator: Exclude<Operator, "&" | "=" | "!=">, left: Decimal, right: Decimal): Value {
  switch (operator) {
    case "+":
      return checkedNumber(left.plus(right));
    case "-":
      return checkedNumber(left.minus(right));
    case "*":
      return checkedNumber(left.times(right));
    case "/":
      return right.isZero() ? new ErrorValue("division by zero") : checkedNumber(divide(left, right));
    case "^":
      return raise(left, right);
    case "<":
      return left.lessThan(right);
    case "<=":
      return left.lessThanOrEqualTo(right);
    case ">":
      return left.greaterThan(right);
    case ">=":
      return left.greaterThanOrEqualTo(right);
  }
}

/** Beyond this every power of a number other than 0, 1 and -1 is out of range. */
const exponentMax = 100_000;

/** Whole exponents are computed exactly, negative ones by division to 16 places, fractional ones in floating point. */
function raise(base: Decimal, exponent: Decimal): Decimal | ErrorValue {
  if (!exponent.isInteger()) {
    const power = base.toNumber() ** exponent.toNumber();
    return Number.isFinite(power) ? checkedNumber(new Decimal(power)) : new ErrorValue("number has no such power");
  }
  const outOfRange = new ErrorValue("number value is out of permitted range");
  if (exponent.abs().greaterThan(exponentMax) && !base.abs().equals(1) && !base.isZero()) return outOfRange;
  if (base.isZero() && exponent.isNegative()) return new ErrorValue("division by zero");
  const times = exponent.abs().greaterThan(exponentMax) ? Number(exponent.mod(2)) : exponent.toNumber();
  return raiseWhole(base, times, outOfRange);
}

/** Squares once per binary digit of the exponent, the highest first; a negative exponent divides where it would multiply. */
function raiseWhole(base: Decimal, exponent: number, outOfRange: ErrorValue): Decimal | ErrorValue {
  let power = new Decimal(1);
  for (const digit of Math.abs(exponent).toString(2)) {
    power = power.times(power);
    if (digit === "1") power = exponent > 0 ? power.times(base) : divide(power, base);
    if (power.precision() > 200 || Math.abs(power.e) > 200) return outOfRange;
  }
  return checkedNumber(power);
}
