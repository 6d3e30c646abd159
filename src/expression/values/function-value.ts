import type { Environment } from "../environment.js";
import type { Value } from "./value.js";

/** A function: one of the language's own, or an anonymous one of an expression. */
export class FunctionValue {
  /** `""` for an anonymous function. */
  readonly name: string;
  readonly #call: (environment: Environment, args: readonly Value[]) => Value;

  constructor(name: string, call: (environment: Environment, args: readonly Value[]) => Value) {
    this.name = name;
    this.#call = call;
  }

  /** Calls it; a failure is the returned `ErrorValue`. */
  call(environment: Environment, args: readonly Value[]): Value {
    return this.#call(environment, args);
  }
}
