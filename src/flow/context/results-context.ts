import { ArrayValue, lazyObject, readJson, type Value } from "../../expression/index.js";
import type { RunResult } from "../session.js";
import { instantValue } from "./instants.js";

/** A set of results by key, as one run has them. */
export type Results = Readonly<Record<string, RunResult>>;

/** `@results`: docs/reference/flows.md#context-roots. */
export function resultsContext(results: Results): Value {
  return lazyObject(
    () => {
      const values: Record<string, Value> = {};
      for (const key of Object.keys(results)) {
        Object.defineProperty(values, key, {
          enumerable: true,
          get: () => {
            const result = results[key];
            return result === undefined ? null : resultContext(result);
          },
        });
      }
      return values;
    },
    () =>
      Object.values(results)
        .map(({ name, value }) => `${name}: ${value}`)
        .toSorted()
        .join("\n"),
  );
}

function resultContext(result: RunResult): Value {
  const { name, value, category, node, input } = result;
  const localized = result.categoryLocalized ?? category;
  return lazyObject(
    () => ({
      name,
      value,
      category,
      category_localized: localized,
      input: input ?? "",
      get extra() {
        return result.extraJson === undefined ? null : readJson(result.extraJson);
      },
      node_uuid: node,
      get created_on() {
        return instantValue(result.createdAtMs);
      },
      get values() {
        return new ArrayValue([value]);
      },
      get categories() {
        return new ArrayValue([category]);
      },
      get categories_localized() {
        return new ArrayValue([localized]);
      },
    }),
    value,
  );
}
