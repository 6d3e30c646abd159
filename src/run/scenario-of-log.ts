import { rmSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LabError } from "../base/index.js";
import {
  type FieldEvent,
  type InferredDay,
  isOfSend,
  largestScenario,
  readDay,
  type Reproduced,
  reproducedRows,
  timeOf,
  writeFittingScenario,
} from "../field/index.js";
import { parseScenario, type Scenario } from "../scenario/index.js";
import { openRecording } from "../store/index.js";
import { runScenario } from "./run.js";

/**
 * Writes a day as a scenario, plays it without a receiver and compares its events with those of the log.
 *
 * @param options - `source`: what the log is called; `sends`: whether the messages of the service are steps
 * @throws LabError `not-written`; `bad-options` if the file exists, or if the scenario does not play
 */
export async function writeScenarioOfLog(
  inferred: InferredDay,
  options: { readonly file: string; readonly source: string; readonly sends: boolean; readonly overwrite: boolean },
): Promise<Reproduced> {
  const { file, source, sends, overwrite } = options;
  const { text, untilMs } = writeFittingScenario(inferred, {
    source,
    sends,
    largest: largestScenario,
  });
  const { scenario, diagnostics } = parseScenario(text, { file, nowMs: Date.now() });
  if (scenario === undefined) {
    const [first] = diagnostics;
    throw new LabError("bad-options", `the scenario of ${source} does not play: ${first?.message ?? "unknown"}`, {
      hint: "import a part of the log, such as one day or one handset, or use -o DAY.db and handset replay",
    });
  }
  try {
    writeFileSync(file, text, { flag: overwrite ? "w" : "wx" });
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") {
      throw new LabError("bad-options", `${file} exists already`, { hint: "--overwrite replaces it" });
    }
    throw new LabError("not-written", `--scenario ${file} cannot be written`, { cause: error });
  }
  const rows = inferred.day.rows.filter(
    (row) => (sends || !isOfSend(row)) && (untilMs === undefined || timeOf(row) <= untilMs),
  );
  return { ...reproducedRows(rows, readDay(await playedEvents(scenario)).rows), untilMs };
}

/** Plays a scenario without a receiver, and reads its events. */
async function playedEvents(scenario: Scenario): Promise<FieldEvent[]> {
  const folder = mkdtempSync(join(tmpdir(), "handset-import-"));
  const path = join(folder, "day.db");
  try {
    await runScenario(scenario, { recording: path, receiver: "none", pace: "max" });
    const recording = openRecording(path);
    try {
      const { startsAtMs } = scenario.cast;
      return Array.from(recording.events(), ({ atMs, body }, index) => ({
        place: index + 1,
        atMs: startsAtMs + atMs,
        body,
      }));
    } finally {
      recording.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
