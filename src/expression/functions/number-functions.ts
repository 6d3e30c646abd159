import { toInteger, toNumber } from "../conversions.js";
import { checkedNumber, Decimal, divide } from "../values/decimal.js";
import { ErrorValue } from "../values/error-value.js";
import type { FunctionValue } from "../values/value.js";
import { defineFunction } from "./define.js";

/** Rounding to more places changes no number, and to fewer gives 0. */
const placesMax = 400;

/** Functions of numbers (docs/reference/flows.md#functions). */
export const numberFunctions: readonly FunctionValue[] = [
  defineFunction("abs", { required: [toNumber] }, (_environment, number) => number.abs()),
  ...(
    [
      ["round", Decimal.ROUND_HALF_UP],
      ["round_up", Decimal.ROUND_CEIL],
      ["round_down", Decimal.ROUND_FLOOR],
    ] as const
  ).map(([name, mode]) =>
    defineFunction(name, { required: [toNumber], optional: [toInteger] }, (_environment, number, places = 0) =>
      checkedNumber(roundTo(number, places, mode)),
    ),
  ),
  defineFunction("max", { rest: toNumber, restAtLeast: 1 }, (_environment, ...numbers) =>
    numbers.reduce((most, number) => (number.greaterThan(most) ? number : most)),
  ),
  defineFunction("min", { rest: toNumber, restAtLeast: 1 }, (_environment, ...numbers) =>
    numbers.reduce((least, number) => (number.lessThan(least) ? number : least)),
  ),
  defineFunction("mean", { rest: toNumber, restAtLeast: 1 }, (_environment, ...numbers) => {
    const sum = numbers.reduce((total, number) => total.plus(number));
    return checkedNumber(divide(sum, new Decimal(numbers.length)));
  }),
  defineFunction("mod", { required: [toNumber, toNumber] }, (_environment, dividend, divisor) =>
    divisor.isZero() ? new ErrorValue("division by zero") : checkedNumber(dividend.mod(divisor)),
  ),
  defineFunction("rand", {}, (environment) => new Decimal(environment.random())),
  defineFunction("rand_between", { required: [toNumber, toNumber] }, (environment, low, high) => {
    const span = high.minus(low).plus(1);
    return checkedNumber(span.times(environment.random()).plus(low).floor());
  }),
];

function roundTo(number: Decimal, places: number, mode: 2 | 3 | 4): Decimal {
  if (places >= 0) return number.toDecimalPlaces(Math.min(places, placesMax), mode);
  const unit = new Decimal(10).pow(Math.min(-places, placesMax));
  return number.div(unit).toDecimalPlaces(0, mode).times(unit);
}
