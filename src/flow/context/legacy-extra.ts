import { ArrayValue, fromJson, ObjectValue, readJson, type Value } from "../../expression/index.js";
import { resultKey } from "../result-key.js";
import type { Run, Session, WebhookValue } from "../session.js";
import { type Results, resultsOfSummary } from "./results-context.js";

/** Characters of a key; longer ones are cut. */
const keyMax = 255;

/**
 * `@legacy_extra`: parameters of the trigger, then the extra of each result in the order of time, those of the run
 * that started the session first (docs/reference/flows.md#legacy-extra).
 */
export function legacyExtra(session: Session, run: Run): Value {
  return new ObjectValue(() => {
    const values = new Map<string, Value>();
    const { params, runSummary } = session.trigger;
    if (params !== undefined && params !== null) addValues(values, fromJson(params));
    if (runSummary !== undefined) addResults(values, resultsOfSummary(runSummary), undefined);
    addResults(values, run.results, run.webhook);
    return Object.fromEntries(values);
  });
}

/**
 * @param webhook - the run's webhook; its JSON serves as the extra of its result when it was too large to be stored
 * there
 */
function addResults(values: Map<string, Value>, results: Results, webhook: WebhookValue | undefined): void {
  for (const result of Object.values(results).toSorted((a, b) => a.createdAtMs - b.createdAtMs)) {
    const json = result.extraJson ?? (webhook?.result === result.name ? webhook.json : undefined);
    if (json === undefined) continue;
    values.set(resultKey(result.name), json);
    addValues(values, readJson(json));
  }
}

function addValues(values: Map<string, Value>, added: Value): void {
  if (added instanceof ObjectValue) {
    for (const [key, value] of added.entries()) values.set(keyOf(key), value);
  } else if (added instanceof ArrayValue) {
    for (const [index, value] of added.items.entries()) values.set(String(index), value);
  }
}

function keyOf(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9_]/g, "_")
    .slice(0, keyMax);
}
