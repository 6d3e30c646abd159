import type { Environment } from "../environment.js";
import { ErrorValue } from "../values/error-value.js";
import { spend, workExceeded } from "../values/meter.js";
import { FunctionValue, type Value } from "../values/value.js";

/** Turns an argument into what a function works on; the error says what is wrong with it. */
export type Converter<T> = (environment: Environment, value: Value) => T | ErrorValue;

type Converted<C> = C extends Converter<infer T> ? Exclude<T, ErrorValue> : never;
type AllConverted<C extends readonly Converter<unknown>[]> = { -readonly [I in keyof C]: Converted<C[I]> };

/** Arguments of a function: how many, and what each is converted to before the call. */
export interface Parameters<
  R extends readonly Converter<unknown>[],
  O extends readonly Converter<unknown>[],
  V extends Converter<unknown>,
> {
  readonly required?: R;
  /** Missing ones arrive as `undefined`. */
  readonly optional?: O;
  /** Any number of further arguments. */
  readonly rest?: V;
  /** Smallest number of {@link rest} arguments; 0 by default. */
  readonly restAtLeast?: number;
  /** Units of work for each character of its texts, where that is more than reading it; see `WorkBudget`. */
  readonly work?: number;
}

/** The argument as it is, errors included. For functions that look at errors themselves. */
export function anyValue(_environment: Environment, value: Value): Value {
  return value;
}

/**
 * Makes a function of the language. Wrong argument counts and failed conversions are errors without a call; the
 * first error counts.
 *
 * @param call - gets the converted arguments: required, optional (`undefined` when missing), then the rest
 */
export function defineFunction<
  const R extends readonly Converter<unknown>[] = [],
  const O extends readonly Converter<unknown>[] = [],
  V extends Converter<unknown> = never,
>(
  name: string,
  { required, optional, rest, restAtLeast = 0, work = 0 }: Parameters<R, O, V>,
  call: (
    environment: Environment,
    ...args: [...AllConverted<R>, ...Partial<AllConverted<O>>, ...Converted<V>[]]
  ) => Value,
): FunctionValue {
  const fixed: readonly Converter<unknown>[] = [...(required ?? []), ...(optional ?? [])];
  const least = (required?.length ?? 0) + restAtLeast;
  const most = rest === undefined ? fixed.length : Infinity;
  return new FunctionValue(name, (environment, args) => {
    if (args.length < least || args.length > most) return countError(least, most, args.length);
    const converted: unknown[] = Array.from({ length: Math.max(fixed.length, args.length) });
    for (const [index, arg] of args.entries()) {
      const convert = fixed[index] ?? rest;
      const result = convert === undefined ? arg : convert(environment, arg);
      if (result instanceof ErrorValue && (convert as unknown) !== anyValue) return result;
      converted[index] = result;
    }
    if (work > 0 && !spend(work * lengthOf(converted))) return workExceeded;
    return (call as (environment: Environment, ...args: unknown[]) => Value)(environment, ...converted);
  });
}

/** Characters of the texts among some arguments. */
function lengthOf(args: readonly unknown[]): number {
  return args.reduce<number>((sum, arg) => sum + (typeof arg === "string" ? arg.length : 0), 0);
}

function countError(least: number, most: number, count: number): ErrorValue {
  const needed = most === Infinity ? `at least ${least}` : least === most ? `${least}` : `${least} to ${most}`;
  return new ErrorValue(`need ${needed} argument(s), got ${count}`);
}
