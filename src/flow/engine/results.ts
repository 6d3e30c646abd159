import { cutText, setOwnValue } from "../../wire/index.js";
import { resultKey } from "../result-key.js";
import type { SavedResult } from "../session.js";
import type { RunningSprint } from "./running-sprint.js";

/** Characters of a result's value; longer ones are cut. */
const valueMax = 640;

/** What saves a result: the router of a node, an action that calls a service, another action. */
type ResultSource = "router" | "call" | "action";

/** A result to be saved. */
interface NewResult {
  readonly name: string;
  readonly value: string;
  readonly category: string;
  readonly categoryLocalized?: string;
  readonly input?: string;
  readonly extraJson?: string;
}

/**
 * Saves a result of the current run at its current node. It replaces the result of the same key and is appended to the
 * log of answers (docs/reference/flows.md#routers-and-results).
 */
export function saveResult(sprint: RunningSprint, source: ResultSource, result: NewResult): void {
  const { run, session } = sprint;
  const step = run.path.at(-1);
  const now = sprint.host.now();
  const saved: SavedResult = {
    ...result,
    value: cutText(result.value, valueMax),
    node: step?.node ?? "",
    createdAtMs: now,
  };
  const key = resultKey(result.name);
  // Deleted first, so that the order of keys is the order of time.
  if (Object.hasOwn(run.results, key)) delete run.results[key];
  setOwnValue(run.results, key, saved);
  run.modifiedAtMs = now;
  run.answers.push({
    label: saved.name,
    category: saved.category,
    value: saved.value,
    isRuleSet: source === "router" || (source === "call" && hasRouter(sprint)),
    text: session.input?.text ?? "",
    node: saved.node,
    atMs: now,
    arrivedAtMs: step?.arrivedAtMs ?? now,
  });
  sprint.log({
    type: "run_result_changed",
    name: saved.name,
    value: saved.value,
    category: saved.category,
    category_localized: saved.categoryLocalized,
    ...(saved.input !== undefined && saved.input !== "" && { input: saved.input }),
    extra: saved.extraJson === undefined ? undefined : (JSON.parse(saved.extraJson) as unknown),
  });
}

/** Whether the current node has a router: after a call it splits by the outcome. */
function hasRouter({ flow, run }: RunningSprint): boolean {
  return flow?.nodesByUuid.get(run.path.at(-1)?.node ?? "")?.router !== undefined;
}
