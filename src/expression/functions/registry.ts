import type { Environment } from "../environment.js";
import { ErrorValue } from "../values/error-value.js";
import type { FunctionValue, Value } from "../values/value.js";
import { testFunctions } from "../tests/index.js";

const functions = new Map<string, FunctionValue>();
for (const each of testFunctions) functions.set(each.name, each);

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
  return found === undefined ? new ErrorValue(`${name} is not a function`) : found.call(environment, args);
}
