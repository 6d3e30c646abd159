import { LabError } from "../base/index.js";
import { readableDuration } from "../report/index.js";
import type { PartView } from "./fleet-view.js";

/** A part that has not ended, or whose recording is not there yet, and why. */
export interface MissingPart {
  readonly part: number;
  readonly why: string;
}

/** Most parts that an error lists. */
const LISTED_MAX = 20;

/** Why a part has not ended: its state, its machine, and how it is resumed. */
export function whyNotEnded({ state, status, ageMs = 0 }: PartView): string {
  const where = status === undefined ? "" : ` on ${status.host} (process ${status.pid})`;
  const resume = `; resume it: handset run --resume ${status?.recording ?? "RECORDING"}`;
  switch (state) {
    case "unseen":
      return "it was never started";
    case "failed":
      return `it failed ${agoText(ageMs)}${where}: ${status?.error ?? "unknown"}`;
    case "stopped":
      return `it was stopped ${agoText(ageMs)}${where}${resume}`;
    case "lost":
      return `it was last heard of ${agoText(ageMs)}${where}${status?.state === "playing" ? resume : ""}`;
    default:
      return `it is ${state}${where}`;
  }
}

/** `12 s ago`, `2 min 5 s ago`. */
export function agoText(ageMs: number): string {
  return `${silenceText(ageMs)} ago`;
}

/** `12 s`, in whole seconds. */
export function silenceText(ageMs: number): string {
  return readableDuration(Math.max(1, Math.round(ageMs / 1000)) * 1000);
}

/** The error that lists missing parts. */
export function partsMissing(
  missing: readonly MissingPart[],
  { said, hint }: { readonly said: string; readonly hint: string },
): LabError {
  const shown = missing.slice(0, LISTED_MAX).map(({ part, why }) => `\n  part ${part}: ${why}`);
  const more = missing.length > shown.length ? `\n  and ${missing.length - shown.length} more` : "";
  return new LabError("parts-missing", `${said}:${shown.join("")}${more}`, { hint });
}
