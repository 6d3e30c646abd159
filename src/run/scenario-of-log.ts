import { rmSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LabError } from "../base/index.js";
import {
  type FieldEvent,
  inferDay,
  type InferredDay,
  readDay,
  type Reproduced,
  reproducedRows,
  writeScenario,
} from "../field/index.js";
import { parseScenario, type Scenario } from "../scenario/index.js";
import { openRecording } from "../store/index.js";
import { runScenario } from "./run.js";

/** What was concluded from a log. */
export interface ScenarioOfLog {
  readonly inferred: InferredDay;
  /** What the scenario plays again of the log; absent: it was not played. */
  readonly reproduced: Reproduced | undefined;
}

/**
 * Infers a day's causes, writes them as a scenario, plays it and compares its events with those of the log.
 *
 * @param events - in the order of time
 * @throws LabError `not-written`; `bad-options` if the scenario does not play
 */
export async function scenarioOfLog(
  events: Iterable<FieldEvent>,
  { file, source }: { readonly file: string; readonly source: string },
): Promise<ScenarioOfLog> {
  const inferred = inferDay(events);
  const text = writeScenario(inferred, { source });
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw new LabError("not-written", `--scenario ${file} cannot be written`, { cause: error });
  }
  const { scenario, diagnostics } = parseScenario(text, { file, nowMs: Date.now() });
  if (scenario === undefined) {
    const [first] = diagnostics;
    throw new LabError("bad-options", `${file} does not play: ${first?.message ?? "unknown"}`);
  }
  return { inferred, reproduced: reproducedRows(inferred.day.rows, readDay(await playedEvents(scenario)).rows) };
}

/** Plays a scenario without a receiver, and reads its events. */
async function playedEvents(scenario: Scenario): Promise<FieldEvent[]> {
  const folder = mkdtempSync(join(tmpdir(), "handset-import-"));
  const path = join(folder, "day.db");
  try {
    await runScenario(scenario, { recording: path, receiver: "none" });
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
