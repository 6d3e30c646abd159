import { ArrayValue, readJson, type Value } from "../../expression/index.js";
import type { RunResult } from "../session.js";
import { ComputedMap, ComputedObject, type Properties } from "./computed-object.js";
import { instantValue } from "./instants.js";

/** A set of results by key, as one run has them. */
export type Results = Readonly<Record<string, RunResult>>;

/** `@results`: docs/reference/flows.md#context-roots. */
export function resultsContext(results: Results): Value {
  return new ComputedMap(
    () => Object.keys(results),
    (key) => {
      const result = Object.hasOwn(results, key) ? results[key] : undefined;
      return result === undefined ? undefined : new ComputedObject(resultProperties, result, result.value);
    },
    () =>
      Object.values(results)
        .map(({ name, value }) => `${name}: ${value}`)
        .toSorted()
        .join("\n"),
  );
}

const resultProperties: Properties<RunResult> = {
  name: ({ name }) => name,
  value: ({ value }) => value,
  category: ({ category }) => category,
  category_localized: localizedCategory,
  input: ({ input = "" }) => input,
  extra: ({ extraJson }) => (extraJson === undefined ? null : readJson(extraJson)),
  node_uuid: ({ node }) => node,
  created_on: ({ createdAtMs }) => instantValue(createdAtMs),
  values: ({ value }) => new ArrayValue([value]),
  categories: ({ category }) => new ArrayValue([category]),
  categories_localized: (result) => new ArrayValue([localizedCategory(result)]),
};

function localizedCategory({ category, categoryLocalized }: RunResult): string {
  return categoryLocalized ?? category;
}
