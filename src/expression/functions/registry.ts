import type { Environment } from "../environment.js";
import { testFunctions } from "../tests/index.js";
import { ErrorValue } from "../values/error-value.js";
import type { FunctionValue, Value } from "../values/value.js";
import { withMeter } from "../values/meter.js";
import { arrayFunctions } from "./array-functions.js";
import { conversionFunctions } from "./conversion-functions.js";
import { dateFunctions } from "./date-functions.js";
import { encodedFunctions } from "./encoded-functions.js";
import { formatFunctions } from "./format-functions.js";
import { legacyFunctions } from "./legacy-functions.js";
import { logicFunctions } from "./logic-functions.js";
import { numberFunctions } from "./number-functions.js";
import { textFunctions } from "./text-functions.js";
import { wordFunctions } from "./word-functions.js";

/** Every function of the language by its name; tests of routers are functions too. */
const functions: ReadonlyMap<string, FunctionValue> = new Map(
  [
    conversionFunctions,
    logicFunctions,
    textFunctions,
    wordFunctions,
    numberFunctions,
    dateFunctions,
    arrayFunctions,
    encodedFunctions,
    formatFunctions,
    legacyFunctions,
    testFunctions,
  ].flatMap((group) => group.map((each) => [each.name, each] as const)),
);

/** The function of this name in any case. */
export function findFunction(name: string): FunctionValue | undefined {
  return functions.get(name) ?? functions.get(name.toLowerCase());
}

/** Whether the language has a function of this name, in any case. */
export function isKnownFunction(name: string): boolean {
  return findFunction(name) !== undefined;
}

/** Calls a function or test by name. An unknown name or a failure gives an error value. */
export function callFunction(environment: Environment, name: string, args: readonly Value[]): Value {
  const found = findFunction(name);
  if (found === undefined) return new ErrorValue(`${name.toLowerCase()} is not a function`);
  return withMeter(() => found.call(environment, args));
}

/** The names of all functions and tests. */
export function functionNames(): Iterable<string> {
  return functions.keys();
}
