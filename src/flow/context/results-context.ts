import { ArrayValue, readJson, type Value } from "../../expression/index.js";
import { ownValue, setOwnValue } from "../../wire/index.js";
import { readInstant } from "../contact/contact-json.js";
import { isRecord } from "../read/json-object.js";
import type { RunSummary } from "../run-summary.js";
import type { SavedResult } from "../session.js";
import { ComputedMap, ComputedObject, type ComputedProperties } from "./computed-object.js";
import { instantValue } from "./instants.js";

/** The results of one run, by key. */
export type Results = Readonly<Record<string, SavedResult>>;

/** `@results`: docs/reference/flows.md#context-roots. */
export function resultsContext(results: Results): Value {
  return new ComputedMap(
    () => Object.keys(results),
    (key) => {
      const result = ownValue(results, key);
      return result === undefined ? undefined : new ComputedObject(resultProperties, result, result.value);
    },
    () =>
      Object.values(results)
        .map(({ name, value }) => `${name}: ${value}`)
        .toSorted()
        .join("\n"),
  );
}

const resultProperties: ComputedProperties<SavedResult> = {
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

function localizedCategory({ category, categoryLocalized }: SavedResult): string {
  return categoryLocalized ?? category;
}

/** The results of a run summary, in the form of a run's results. */
export function resultsOfSummary(summary: RunSummary): Results {
  const results: Record<string, SavedResult> = {};
  for (const [key, json] of Object.entries(summary.results ?? {})) {
    if (!isRecord(json)) continue;
    const text = (name: string): string => {
      const value = json[name];
      return typeof value === "string" ? value : "";
    };
    const localized = text("category_localized");
    const { extra } = json;
    const rawExtra = ownValue(summary.extras, key);
    setOwnValue(results, key, {
      name: text("name"),
      value: text("value"),
      category: text("category"),
      ...(localized !== "" && { categoryLocalized: localized }),
      node: text("node_uuid"),
      input: text("input"),
      ...(extra !== undefined && extra !== null && { extraJson: rawExtra ?? JSON.stringify(extra) }),
      createdAtMs: readInstant(json["created_on"]) ?? 0,
    });
  }
  return results;
}
