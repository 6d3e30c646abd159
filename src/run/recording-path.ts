import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import type { Scenario } from "../scenario/index.js";

/** The path of a recording: the given one, or a new file under `recordings/` named after the scenario. */
export function recordingPath(scenario: Scenario, wanted: string | undefined): string {
  if (wanted !== undefined) return wanted;
  const stem =
    basename(scenario.source.file)
      .replace(/\.[^.]*$/, "")
      .replace(/[^\w-]+/g, "-") || "run";
  for (let count = 1; ; count++) {
    const path = join("recordings", `${stem}-${count}.db`);
    if (!existsSync(path)) return path;
  }
}

/** The message for a recording that was deleted while its run played. */
export function deletedText(path: string): string {
  return `the recording ${path} was deleted while the run played; what the run still held is written there again`;
}
