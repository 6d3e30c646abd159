import { useEffect, useState } from "preact/hooks";
import { requestMoment } from "../../connection/moment.js";
import { useApiRequest } from "../../connection/use-request.js";
import type { Page, Run } from "../records.js";

/** In place of a run's UUID: the reader has closed the run, and none is shown. */
export const NO_RUN = "none";
/** Milliseconds between two looks for the first run of a flow. */
const FIRST_RUN_MS = 2000;

/**
 * The run that a flow's page shows: the chosen one, or the last changed of the active ones, or of all. It stays until the
 * reader chooses another one, or another moment.
 *
 * @param flow - UUID
 * @param chosen - a run's UUID, or `NO_RUN`; null: the reader has not chosen
 * @returns UUID; undefined: none
 */
export function useShownRun(flow: string, chosen: string | null): string | undefined {
  const [kept, setKept] = useState<string>();
  const atMs = requestMoment.value;
  useEffect(() => setKept(undefined), [flow, atMs]);
  const isAsked = chosen === null && kept === undefined;
  const path = isAsked ? `runs.json?paths=false&flow=${encodeURIComponent(flow)}` : undefined;
  const { data } = useApiRequest<Page<Run>>(path, { every: FIRST_RUN_MS });
  useEffect(() => {
    const runs = data?.results ?? [];
    const first = runs.find(({ exit_type }) => exit_type === null) ?? runs[0];
    if (first !== undefined) setKept(first.uuid);
  }, [data]);
  if (chosen === NO_RUN) return undefined;
  return chosen ?? kept;
}
