import { ObjectValue, type Value } from "../../expression/index.js";

/** Functions that compute the properties of a kind of object from its source, by name in lower case. */
export type ComputedProperties<Source> = Readonly<Record<string, (source: Source) => Value>>;

/**
 * An object whose properties are made at each look-up. Contexts are large, and templates use little of them.
 *
 * A table of functions instead of getters in an object literal: each evaluation of such a literal makes a hidden class
 * in V8, which took 60% of a sprint's time.
 */
export class ComputedObject<Source> extends ObjectValue {
  readonly #properties: ComputedProperties<Source>;
  readonly #of: Source;

  constructor(properties: ComputedProperties<Source>, of: Source, defaultValue?: Value | (() => Value)) {
    super({}, defaultValue);
    this.#properties = properties;
    this.#of = of;
  }

  override get(name: string): Value | undefined {
    const key = Object.hasOwn(this.#properties, name) ? name : name.toLowerCase();
    return Object.hasOwn(this.#properties, key) ? this.#properties[key]?.(this.#of) : undefined;
  }

  override entries(): [string, Value][] {
    return Object.keys(this.#properties)
      .toSorted()
      .map((name) => [name, this.get(name) ?? null]);
  }

  override get size(): number {
    return Object.keys(this.#properties).length;
  }
}

/** An object whose names vary, such as `@results`. Its properties are made at each look-up. */
export class ComputedMap extends ObjectValue {
  readonly #names: () => readonly string[];
  readonly #resolve: (name: string) => Value | undefined;

  /**
   * @param resolve - receives a name of `names`, or any other one in its given letter case; returns undefined when
   * there is no such property
   */
  constructor(
    names: () => readonly string[],
    resolve: (name: string) => Value | undefined,
    defaultValue?: Value | (() => Value),
  ) {
    super({}, defaultValue);
    this.#names = names;
    this.#resolve = resolve;
  }

  override get(name: string): Value | undefined {
    return this.#resolve(name) ?? this.#resolve(name.toLowerCase());
  }

  override entries(): [string, Value][] {
    return this.#names()
      .toSorted()
      .map((name) => [name, this.get(name) ?? null]);
  }

  override get size(): number {
    return this.#names().length;
  }
}
