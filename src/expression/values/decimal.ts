import { Decimal as AnyDecimal } from "decimal.js";

/**
 * Decimal numbers of the template language, never binary floats. Text form: plain digits, no exponent.
 * Additions and products are exact; results beyond {@link MAX_DIGITS} become errors (`checkedNumber`).
 */
export const Decimal = AnyDecimal.clone({
  precision: 120,
  rounding: AnyDecimal.ROUND_HALF_UP,
  toExpNeg: -9e15,
  toExpPos: 9e15,
  minE: -9e15,
  maxE: 9e15,
});
export type Decimal = AnyDecimal;
