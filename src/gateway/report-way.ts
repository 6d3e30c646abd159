import type { CopyCause, Delay, ReportOrigin } from "../wire/index.js";
import type { EventWay } from "./journal.js";

/** Moves the delays out of the origin of a report: later delays belong to the next copy of the report. */
export function wayOf(origin: ReportOrigin): EventWay {
  const { beganAtMs, phoneAtMs, delays = noDelays } = origin;
  origin.delays = undefined;
  return { beganAtMs, phoneAtMs, delays };
}

const noDelays: readonly Delay[] = [];

/** Why a report is a copy: the phone repeats the same report, or sends a second one about the same thing. */
export function causeOf(origin: ReportOrigin | undefined): CopyCause | undefined {
  return origin?.isApplied === true ? origin.repeatedBy : origin?.causeOfCopy;
}
