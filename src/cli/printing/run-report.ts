import { renderHtml, reportPath, writeReport } from "../../report/index.js";
import { openRecording } from "../../store/index.js";
import type { Output } from "../terminal/io.js";

/**
 * Writes the HTML report of a run that has ended. If that fails, it prints why and the run keeps its exit code:
 * `handset report` writes the report from the recording.
 *
 * @param options - `file`: path of the report; absent: next to the recording, unless another file has that path
 * @returns its path; undefined: none was written
 */
export function writeRunReport(
  recordingPath: string | null,
  { file, stderr }: { readonly file?: string; readonly stderr: Output },
): string | undefined {
  if (recordingPath === null || recordingPath === ":memory:") return undefined;
  const path = file ?? reportPath(recordingPath);
  try {
    const recording = openRecording(recordingPath);
    try {
      if (writeReport(path, renderHtml(recording), { onlyReports: file === undefined })) return path;
      stderr.write(`no report was written: ${path} exists already and is no report\n`);
    } finally {
      recording.close();
    }
  } catch (error) {
    stderr.write(`no report was written to ${path}: ${error instanceof Error ? error.message : String(error)}\n`);
  }
  return undefined;
}
