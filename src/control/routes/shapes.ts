import type { Done, LabClock } from "../../console/index.js";
import { formatTimestampZoned } from "../../wire/index.js";
import type { ClockStatus } from "../../lab/index.js";
import type { Control } from "../control.js";

/** The answer to a completed act: a sentence and the current instant. */
export function doneNow(control: Control, sentence: string): Done {
  return { at: instantOf(control, control.clock().nowMs), done: sentence };
}

export function clockOf(control: Control, { nowMs, speed, isPaused }: ClockStatus): LabClock {
  return { now: instantOf(control, nowMs), speed, paused: isPaused };
}

export function instantOf({ startsAtMs }: Control, atMs: number): string {
  return formatTimestampZoned(startsAtMs + atMs);
}

/** Description of the field that selects handsets. */
export const selectorAbout = "Handsets, as in scenarios: `clinic/0`, `clinic`, `clinic/0..3`";
