import { type MeasuredRun, specialUnderWay } from "../report/index.js";
import type { Recording } from "../store/index.js";
import type { RunParts } from "./result.js";

/**
 * What was special about the events in flight when the receiver went away, from the run's rows.
 *
 * @param ended - URL of the receiver whose command ended by itself; null when none did
 */
export function specialIn(
  recording: Recording,
  { behaviour: { outages } }: RunParts["measurements"],
  ended: string | null,
): NonNullable<MeasuredRun["specialOf"]> {
  recording.flush();
  return specialUnderWay(recording.reader(), {
    outages: outages.list(ended === null ? undefined : new URL(ended).origin),
    breaking: outages.breakingEvents(),
  });
}
