import type { OnProgress } from "../../base/index.js";
import { renderHtml, reportPath, writeReport } from "../../report/index.js";
import { openRecording } from "../../store/index.js";

/** The written report, or why there is none; neither: none was wanted. */
export interface WrittenReport {
  readonly path?: string;
  readonly problem?: string;
}

/**
 * Writes the HTML report of a run that has ended. If that fails, the run keeps its exit code: `handset report` writes the
 * report from the recording.
 *
 * @param options - `file`: path of the report; absent: next to the recording, unless another file has that path
 */
export function writeRunReport(
  recordingPath: string | null,
  { file, onProgress }: { readonly file?: string; readonly onProgress?: OnProgress },
): WrittenReport {
  if (recordingPath === null || recordingPath === ":memory:") return {};
  const path = file ?? reportPath(recordingPath);
  try {
    const recording = openRecording(recordingPath, { onProgress });
    try {
      if (writeReport(path, renderHtml(recording), { onlyReports: file === undefined })) return { path };
      return { problem: `no report was written: ${path} exists already and is no report` };
    } finally {
      recording.close();
    }
  } catch (error) {
    return { problem: `no report was written to ${path}: ${error instanceof Error ? error.message : String(error)}` };
  }
}
