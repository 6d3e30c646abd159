import { basename } from "node:path";
import type { OnProgress } from "../base/index.js";
import {
  type FieldEvent,
  type ImportedLog,
  importLog,
  type ImportLogOptions,
  writeFieldRecording,
} from "../field/index.js";
import { resultOf } from "../report/index.js";
import { digestOfRecording, openRecording } from "../store/index.js";

/** Options of an import. */
export interface ImportOptions extends ImportLogOptions {
  /** File of the recording; absent: none is written. */
  readonly recording?: string | undefined;
  readonly overwrite?: boolean | undefined;
}

/**
 * Reads a field log and, if asked, writes it as a finished recording. Without a recording, only its summary is made,
 * unless `isSummaryOnly` is false. Close the result.
 *
 * @param files - paths; `-` is standard input
 * @throws LabError `bad-options`, `not-read`, `not-written`; StoreError
 */
export async function importFieldLog(files: readonly string[], options: ImportOptions = {}): Promise<ImportedLog> {
  const isSummaryOnly = options.isSummaryOnly ?? options.recording === undefined;
  const log = await importLog(files, { ...options, isSummaryOnly });
  try {
    if (options.recording !== undefined) writeRecording(log, files, { ...options, recording: options.recording });
    return log;
  } catch (error) {
    log.close();
    throw error;
  }
}

function writeRecording(
  log: ImportedLog,
  files: readonly string[],
  { recording: path, overwrite = false, onProgress }: ImportOptions & { readonly recording: string },
): void {
  const [first = "-"] = files;
  const name = first === "-" ? "standard input" : basename(first);
  const recording = writeFieldRecording(path, reported(log, onProgress), log.summary, {
    overwrite,
    name,
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
