import { basename } from "node:path";
import type { OnProgress } from "../base/index.js";
import {
  type FieldEvent,
  type ImportedLog,
  importLog,
  type ImportLogOptions,
  inferDay,
  type InferredDay,
  type Reproduced,
  writeFieldRecording,
} from "../field/index.js";
import { resultOf } from "../report/index.js";
import { digestOfRecording, openRecording } from "../store/index.js";
import { writeScenarioOfLog } from "./scenario-of-log.js";

/** Options of an import. */
export interface ImportOptions extends ImportLogOptions {
  /** File of the recording; absent: none is written. */
  readonly recording?: string | undefined;
  /** File of the scenario; absent: none is written. */
  readonly scenario?: string | undefined;
  /** Whether the scenario has the messages of the service, which an application asks for again. Default true. */
  readonly sends?: boolean | undefined;
  /** Replaces existing files. */
  readonly overwrite?: boolean | undefined;
}

/** An imported field log. Close `log`. */
export interface FieldImport {
  readonly log: ImportedLog;
  /** Undefined: the log has more than `CAUSES_UP_TO` events, and no scenario was asked for. */
  readonly inferred: InferredDay | undefined;
  /** What the scenario plays again. */
  readonly reproduced: Reproduced | undefined;
}

/** A summary does not look for the causes of a log with more events: they take memory and five times as long as reading. */
export const CAUSES_UP_TO = 20_000;

/**
 * Reads a field log, infers its causes and, if asked, writes it as a finished recording and as a scenario.
 *
 * @param files - paths; `-` is standard input
 * @throws LabError `bad-options`, `not-read`, `not-written`; StoreError
 */
export async function importFieldLog(files: readonly string[], options: ImportOptions = {}): Promise<FieldImport> {
  const { recording, scenario, sends = true, overwrite = false } = options;
  const isWhole = recording !== undefined || scenario !== undefined;
  const log = await importLog(files, { ...(isWhole ? {} : { keeps: CAUSES_UP_TO }), ...options });
  try {
    if (recording !== undefined) writeRecording(log, files, { ...options, recording });
    const isInferred = scenario !== undefined || (log.isKept && log.summary.events <= CAUSES_UP_TO);
    const inferred = isInferred ? inferDay(log.events()) : undefined;
    const reproduced =
      scenario === undefined || inferred === undefined
        ? undefined
        : await writeScenarioOfLog(inferred, { file: scenario, source: nameOf(files), sends, overwrite });
    return { log, inferred, reproduced };
  } catch (error) {
    log.close();
    throw error;
  }
}

function nameOf([first = "-"]: readonly string[]): string {
  return first === "-" ? "standard input" : basename(first);
}

function writeRecording(
  log: ImportedLog,
  files: readonly string[],
  { recording: path, overwrite = false, onProgress }: ImportOptions & { readonly recording: string },
): void {
  const recording = writeFieldRecording(path, reported(log, onProgress), log.summary, {
    overwrite,
    name: nameOf(files),
    source: files.join(", "),
  });
  try {
    const reader = openRecording(path);
    try {
      const { isUnfinished: _, ...result } = resultOf(reader);
      const { answered, events } = log.summary;
      const unknown = events - answered;
      const problems =
        unknown === 0 ? [] : [`the log has no answers to ${unknown} of ${events} events, so these have no attempts`];
      recording.finish(
        {
          digest: digestOfRecording(reader),
          resultJson: JSON.stringify({ ...result, problems: [], warnings: [...(result.warnings ?? []), ...problems] }),
          endedWallMs: log.summary.toMs ?? 0,
        },
        onProgress,
      );
    } finally {
      reader.close();
    }
  } finally {
    recording.close();
  }
}

function* reported(log: ImportedLog, onProgress: OnProgress | undefined): Generator<FieldEvent> {
  const total = log.summary.events;
  let done = 0;
  for (const event of log.events()) {
    if (done++ % 1000 === 0) onProgress?.({ operation: "writing the recording", done, total });
    yield event;
  }
}
