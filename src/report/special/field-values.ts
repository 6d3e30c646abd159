import type { Trait } from "./traits.js";

/** A field with more distinct values than this is not compared by its values. */
const VALUES_MAX = 12;

/** Fields are compared only after this many events. */
const EVENTS_LEAST = 20;

/** Fields whose value is new in each event. */
const ids =
  /^(?:id|sms|call|relayer|channel|phone|text|urn|contact|time|uuid)$|_(?:id|phone|name|on|at|seen|time|uuid)$/;

/** Which fields the events of one type have, and the values of those with few values. */
export class FieldValueCounts {
  #count = 0;
  readonly #fields = new Map<string, { count: number; values: Set<string> | undefined }>();

  add(fields: ReadonlyMap<string, string>): void {
    this.#count++;
    for (const [key, value] of fields) {
      let field = this.#fields.get(key);
      if (field === undefined)
        this.#fields.set(key, (field = { count: 0, values: ids.test(key) ? undefined : new Set() }));
      field.count++;
      field.values?.add(value);
      if ((field.values?.size ?? 0) > VALUES_MAX) field.values = undefined;
    }
  }

  /** How the fields of an event differ from those of all events before. */
  traitsOf(fields: ReadonlyMap<string, string>): Trait[] {
    if (this.#count < EVENTS_LEAST) return [];
    const missing = [...this.#fields].filter(([key, { count }]) => count === this.#count && !fields.has(key));
    const added = [...fields.keys()].filter((key) => !this.#fields.has(key));
    const changed = [...fields].filter(([key, value]) => this.#fields.get(key)?.values?.has(value) === false);
    return [
      ...missing.map(([key]) => ({ key: `missing ${key}`, text: `lacks the field ${key}` })),
      ...added.map((key) => ({ key: `added ${key}`, text: `has the field ${key}` })),
      ...changed.map(([key, value]) => ({ key: `value ${key}`, text: `has ${key}=${value.slice(0, 40)}` })),
    ];
  }
}
