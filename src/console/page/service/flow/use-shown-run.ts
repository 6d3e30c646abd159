import { useEffect, useState } from "preact/hooks";
import { requestMoment } from "../../connection/moment.js";
import { useApiRequest } from "../../connection/use-request.js";

/** Value instead of a run's UUID after the user has closed the run. */
export const NO_RUN = "none";
/** Polling interval for the first run of a flow, in milliseconds. */
const FIRST_RUN_MS = 2000;

/**
 * The run that a flow's page shows: the chosen one, else the last changed active one, else the last changed one. It
 * stays until the user chooses another run or moment.
 *
 * @param flow - UUID
 * @param chosen - a run's UUID, or `NO_RUN`; null: the user has not chosen
 * @returns UUID; undefined: none
 */
export function useShownRun(flow: string, chosen: string | null): string | undefined {
  const [kept, setKept] = useState<string>();
  const atMs = requestMoment.value;
  useEffect(() => setKept(undefined), [flow, atMs]);
  const isAsked = chosen === null && kept === undefined;
  const path = `runs.json?paths=false&flow=${encodeURIComponent(flow)}` as const;
  const { data } = useApiRequest(isAsked ? path : undefined, { every: FIRST_RUN_MS });
  useEffect(() => {
    const runs = data?.results ?? [];
    const first = runs.find(({ exit_type }) => exit_type === null) ?? runs[0];
    if (first !== undefined) setKept(first.uuid);
  }, [data]);
  if (chosen === NO_RUN) return undefined;
  return chosen ?? kept;
}
