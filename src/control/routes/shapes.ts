import { type JsonSchema, schema } from "../../api/index.js";
import { formatTimestampZoned } from "../../wire/index.js";
import type { ClockStatus } from "../../lab/index.js";
import type { Control } from "../control.js";

/** Shapes of answers that several operations share. */

export const doneSchema: JsonSchema = schema.objectOf({
  at: { ...schema.timestamp, description: "Virtual time at which it was done" },
  done: { ...schema.text, description: "What was done" },
});

/** What was done, and when. */
export function doneNow(control: Control, sentence: string): Record<string, unknown> {
  return { at: instantOf(control, control.clock().nowMs), done: sentence };
}

export const clockSchema: JsonSchema = schema.objectOf({
  now: schema.timestamp,
  speed: { type: "number", description: "Virtual seconds per wall second" },
  paused: schema.boolean,
});

export function clockOf(control: Control, { nowMs, speed, isPaused }: ClockStatus): Record<string, unknown> {
  return { now: instantOf(control, nowMs), speed, paused: isPaused };
}

export function instantOf({ startsAtMs }: Control, atMs: number): string {
  return formatTimestampZoned(startsAtMs + atMs);
}

/** Description of the field that selects handsets. */
export const selectorAbout = "Handsets, as in scenarios: `clinic/0`, `clinic`, `clinic/0..3`";
