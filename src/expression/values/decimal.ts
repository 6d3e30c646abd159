import { Decimal as AnyDecimal } from "decimal.js";
import { ErrorValue } from "./error-value.js";

/**
 * Decimal numbers of the template language, never binary floats. The precision is that of intermediate results: values
 * pass {@link checkedNumber}, so sums and products of two values are exact.
 */
export const Decimal = AnyDecimal.clone({
  precision: 300,
  rounding: AnyDecimal.ROUND_HALF_UP,
  toExpNeg: -9e15,
  toExpPos: 9e15,
  modulo: AnyDecimal.ROUND_DOWN,
});
export type Decimal = AnyDecimal;

/** Most significant digits of a number (docs/reference/flows.md#types-and-conversion). */
const digitsMax = 36;
/** Numbers have at most this many digits before the point, or zeros after it. */
const exponentMax = 100;
/** Places of a quotient (docs/reference/flows.md#types-and-conversion). */
const quotientPlaces = 16;

const plainNumber = /^-?(\d+(\.\d+)?|\.\d+)$/;

/** Longest text that is read as a number: sign, digits, zeros, point. */
const textMax = 2 * exponentMax;

/** Reads a plain number such as `-12.50` or `.5`, without exponent, blanks around it allowed; undefined: it is none. */
export function readDecimal(text: string): Decimal | undefined {
  const trimmed = text.trim();
  if (trimmed.length > textMax || !plainNumber.test(trimmed)) return undefined;
  const value = checkedNumber(new Decimal(trimmed));
  return value instanceof ErrorValue ? undefined : value;
}

/** The number itself, or an error if it has too many digits or its magnitude is out of range. Never minus zero. */
export function checkedNumber(value: Decimal): Decimal | ErrorValue {
  if (value.isZero()) return value.isNegative() ? new Decimal(0) : value;
  if (!value.isFinite() || Math.abs(value.e) > exponentMax) {
    return new ErrorValue("number value is out of permitted range");
  }
  return value.precision() > digitsMax ? new ErrorValue("number has too many digits") : value;
}

/** Quotient with 16 decimal places and at most 36 digits, rounded half away from zero. @param divisor - not 0 */
export function divide(dividend: Decimal, divisor: Decimal): Decimal {
  const quotient = dividend.div(divisor).toDecimalPlaces(quotientPlaces);
  return quotient.precision() > digitsMax ? quotient.toSignificantDigits(digitsMax) : quotient;
}

/** Digits of a number, without exponent and trailing zeros. */
export function decimalText(value: Decimal): string {
  return value.isZero() ? "0" : value.toFixed();
}
