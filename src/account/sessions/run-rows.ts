import type { Run, SavedResult as EngineResult } from "../../flow/index.js";
import type { ExitType } from "../../wire/index.js";
import { RUN_PATH_MAX, type LatestResult, type RunRow } from "../runs.js";

/**
 * The row of a run.
 *
 * @param place - `startsAtMs`: the instant 0 of virtual time, in milliseconds since 1970
 */
export function runRow(
  run: Run,
  place: Pick<RunRow, "id" | "flow" | "contact" | "start" | "embeddedData"> & { readonly startsAtMs: number },
): RunRow {
  const { startsAtMs, ...identity } = place;
  return {
    ...identity,
    uuid: run.uuid,
    hasResponded: run.hasInput,
    path: run.path.slice(-RUN_PATH_MAX).map(({ node, arrivedAtMs, exit }) => ({
      node,
      atMs: arrivedAtMs - startsAtMs,
      exit,
    })),
    results: resultsOf(run.results, startsAtMs),
    answers: run.answers.map(({ label, category, value, text, atMs }) => ({
      label,
      category,
      value,
      text,
      atMs: atMs - startsAtMs,
    })),
    createdAtMs: run.createdAtMs - startsAtMs,
    modifiedAtMs: run.modifiedAtMs - startsAtMs,
    exitedAtMs: run.exitedAtMs === undefined ? null : run.exitedAtMs - startsAtMs,
    exit: exitOf(run),
  };
}

function resultsOf(results: Readonly<Record<string, EngineResult>>, startsAtMs: number): Record<string, LatestResult> {
  const rows = Object.entries(results).map(([key, result]): [string, LatestResult] => [
    key,
    {
      name: result.name,
      value: result.value,
      category: result.category === "" ? null : result.category,
      node: result.node,
      atMs: result.createdAtMs - startsAtMs,
      input: result.input ?? null,
    },
  ]);
  return Object.fromEntries(rows);
}

function exitOf({ status }: Run): ExitType | null {
  return status === "active" || status === "waiting" ? null : status;
}
