import { ArrayValue, fromJson, ObjectValue, readJson, type Value } from "../../expression/index.js";
import { resultKey } from "../result-key.js";
import type { Run, Session } from "../session.js";

/** Characters of a key; longer ones are cut. */
const keyMax = 255;

/**
 * `@legacy_extra`: parameters of the trigger, then the extra of each result in the order of time, those of the run
 * that started the session first (docs/reference/flows.md#context-roots).
 */
export function legacyExtra(session: Session, run: Run): Value {
  return new ObjectValue(() => {
    const values: Record<string, Value> = {};
    const { params, runSummary } = session.trigger;
    if (params !== undefined && params !== null) addValues(values, fromJson(params));
    for (const result of Object.values(runSummary?.results ?? {})) {
      const { name, extra } = result;
      if (typeof name === "string" && extra !== undefined) addExtra(values, name, JSON.stringify(extra));
    }
    const results = Object.values(run.results).toSorted((a, b) => a.createdAtMs - b.createdAtMs);
    for (const { name, extraJson } of results) if (extraJson !== undefined) addExtra(values, name, extraJson);
    return values;
  });
}

function addExtra(values: Record<string, Value>, name: string, json: string): void {
  values[resultKey(name)] = json;
  addValues(values, readJson(json));
}

function addValues(values: Record<string, Value>, added: Value): void {
  if (added instanceof ObjectValue) {
    for (const [key, value] of added.entries()) values[keyOf(key)] = value;
  } else if (added instanceof ArrayValue) {
    for (const [index, value] of added.items.entries()) values[String(index)] = value;
  }
}

function keyOf(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9_]/g, "_")
    .slice(0, keyMax);
}
