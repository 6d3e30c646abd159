import { renderHtml, reportPath, writeReport } from "../../report/index.js";
import { openRecording } from "../../store/index.js";
import type { Output } from "../terminal/io.js";

/**
 * Writes the report of a run that has just ended. A report that cannot be written is told on stderr and changes nothing
 * else: the recording is there, and `handset report` makes it again.
 *
 * @param options - `file`: where it goes; absent: beside the recording, unless something else is there
 * @returns where it is; undefined: nowhere
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
      stderr.write(`no report was written: ${path} is there already and is no report\n`);
    } finally {
      recording.close();
    }
  } catch (error) {
    stderr.write(`no report was written to ${path}: ${error instanceof Error ? error.message : String(error)}\n`);
  }
  return undefined;
}
