import type { Environment } from "../environment.js";
import type { DateValue, TimeValue } from "./date-values.js";
import type { DateTimeValue } from "./datetime-value.js";
import type { Decimal } from "./decimal.js";
import { ErrorValue } from "./error-value.js";
import { depthExceeded, enter, leave, spend, spendStep, workExceeded } from "./meter.js";

/** A value of the template language: docs/reference/flows.md#types-and-conversion. Text is a string, truth a boolean. */
export type Value =
  | null
  | string
  | boolean
  | Decimal
  | DateValue
  | DateTimeValue
  | TimeValue
  | ArrayValue
  | ObjectValue
  | FunctionValue
  | ErrorValue;

/** An ordered list. Its items may be computed on first use. */
export class ArrayValue {
  #items: readonly Value[] | undefined;
  #compute: (() => readonly Value[]) | undefined;

  /** @param items - the items, or what computes them on first use */
  constructor(items: readonly Value[] | (() => readonly Value[])) {
    if (typeof items === "function") this.#compute = items;
    else this.#items = items;
  }

  get items(): readonly Value[] {
    if (this.#items === undefined) {
      this.#items = this.#compute?.() ?? [];
      this.#compute = undefined;
    }
    return this.#items;
  }
}

type Properties = Readonly<Record<string, Value>>;

/** Units of work to list and sort a property. */
const unitsOfEntry = 0.5;

/**
 * Named properties, found in any case, and an optional default: the value that stands for the object when it is
 * converted. Properties and default may be computed on first use. A getter in the computed record defers one property
 * further: it is read at each look-up of its name.
 */
export class ObjectValue {
  #source: Properties | undefined;
  #computeSource: (() => Properties) | undefined;
  /** Lower-case names to names; only for look-ups in another case, so that getters stay unread. */
  #namesByLower: Map<string, string> | undefined;
  #default: Value | undefined;
  #computeDefault: (() => Value) | undefined;

  /** @param defaultValue - `undefined`: none; null is a default too */
  constructor(properties: Properties | (() => Properties), defaultValue?: Value | (() => Value)) {
    if (typeof properties === "function") this.#computeSource = properties;
    else this.#source = properties;
    if (typeof defaultValue === "function") this.#computeDefault = defaultValue;
    else this.#default = defaultValue;
  }

  /** The property of this name in any case; `undefined` if there is none. */
  get(name: string): Value | undefined {
    const properties = this.#properties();
    if (Object.hasOwn(properties, name)) return properties[name];
    this.#namesByLower ??= new Map(Object.keys(properties).map((key) => [key.toLowerCase(), key]));
    const found = this.#namesByLower.get(name.toLowerCase());
    return found === undefined ? undefined : properties[found];
  }

  /** Properties sorted by name. */
  entries(): [string, Value][] {
    spend(this.size * unitsOfEntry);
    return Object.entries(this.#properties()).toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  }

  /** Number of properties. */
  get size(): number {
    return Object.keys(this.#properties()).length;
  }

  /** `undefined`: the object has no default. */
  get defaultValue(): Value | undefined {
    if (this.#computeDefault !== undefined) {
      this.#default = this.#computeDefault();
      this.#computeDefault = undefined;
    }
    return this.#default;
  }

  #properties(): Properties {
    if (this.#source === undefined) {
      this.#source = this.#computeSource?.() ?? {};
      this.#computeSource = undefined;
    }
    return this.#source;
  }
}

/** An object of known properties. */
export function objectValue(properties: Properties, defaultValue?: Value): ObjectValue {
  return new ObjectValue(properties, defaultValue);
}

/** A function: one of the language's own, or an anonymous one of an expression. */
export class FunctionValue {
  /** `""` for an anonymous function. */
  readonly name: string;
  readonly #call: (environment: Environment, args: readonly Value[]) => Value;

  constructor(name: string, call: (environment: Environment, args: readonly Value[]) => Value) {
    this.name = name;
    this.#call = call;
  }

  /** Calls it. A failure is an error that names the function. */
  call(environment: Environment, args: readonly Value[]): Value {
    if (!enter()) return depthExceeded;
    try {
      if (!spend(args.length * unitsOfArgument) || !spendStep(sizeOf(args))) return workExceeded;
      const result = this.#call(environment, args);
      // A function that has used up the work may have stopped half-way.
      if (result === workExceeded || !spend(0)) return workExceeded;
      if (result === depthExceeded) return result;
      if (result instanceof ErrorValue) {
        return new ErrorValue(`error calling ${this.name === "" ? "<anon>" : this.name}(...): ${result.message}`);
      }
      return typeof result !== "string" || spendStep(result.length) ? result : workExceeded;
    } finally {
      leave();
    }
  }
}

/** Units of work to evaluate and convert an argument. */
const unitsOfArgument = 0.25;

/** About how many characters a call reads. */
function sizeOf(args: readonly Value[]): number {
  let size = 0;
  for (const arg of args) {
    if (typeof arg === "string") size += arg.length;
    else if (arg instanceof ArrayValue) size += arg.items.length * 16;
  }
  return size;
}
