import type { SeriesPoint } from "../../protocol/index.js";
import { moment } from "../connection/moment.js";
import { readyPast } from "../connection/past-state.js";
import { clock, lab, points, run } from "../connection/state.js";
import { spanAt, spanWords } from "./past-series.js";

/** Recently failed attempts. The total since the start does not show whether attempts still fail. */
export interface LateFailures {
  readonly failures: number;
  /** The period, in words. */
  readonly span: string;
}

/** Length of the recent period, in wall milliseconds. */
const LATE_MS = 60_000;

/** Failures in the last minute, or around the shown moment of the past. */
export function lateFailures(): LateFailures {
  const momentMs = moment.value;
  if (momentMs !== undefined) {
    const [facts, point] = [lab.value, spanAt(readyPast()?.points ?? [], momentMs)];
    return facts === undefined || point === undefined
      ? { failures: 0, span: "around this moment as far as computed" }
      : { failures: point.failures, span: `from ${spanWords(point, facts).replace("–", " to ")} of virtual time` };
  }
  if (run.value?.isOver === true) return { failures: 0, span: "now: the run is over" };
  return {
    failures: failuresSince(points.value, (clock.value?.wallMs ?? 0) - LATE_MS),
    span: "in the last minute of real time",
  };
}

/** Failed attempts in the seconds after an instant of the wall clock. */
export function failuresSince(points: readonly Pick<SeriesPoint, "wallMs" | "failures">[], wallMs: number): number {
  return points.reduce((sum, point) => (point.wallMs > wallMs ? sum + point.failures : sum), 0);
}
