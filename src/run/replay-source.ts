import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LabError, type OnProgress } from "../base/index.js";
import { isRecording } from "../serve/index.js";
import { importFieldLog } from "./import-field-log.js";

/** A recording to replay. Close it. */
export interface ReplaySource {
  readonly path: string;
  /** What a log has that is not replayed, a sentence each. */
  readonly warnings: readonly string[];
  readonly close: () => void;
}

/**
 * The recording to replay; a field log is imported into a temporary one. Its bodies stay as they are, since a receiver
 * must get what it got.
 *
 * @param path - of a recording or of a field log
 * @throws LabError `bad-options`, `not-read` for a file that is neither
 */
export async function replaySource(path: string, onProgress?: OnProgress): Promise<ReplaySource> {
  if (isRecording(path)) return { path, warnings: [], close: () => undefined };
  const folder = mkdtempSync(join(tmpdir(), "handset-replay-"));
  const close = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    const recording = join(folder, "log.db");
    const { log } = await importFieldLog([path], { recording, pseudonyms: "off", onProgress });
    log.close();
    const { lines, events } = log.summary;
    if (events === 0) {
      throw new LabError("bad-options", `${path} is not a recording, and none of its ${lines} lines is an event`, {
        hint: `handset import ${path} says why`,
      });
    }
    const left =
      lines === events
        ? []
        : [
            `${lines - events} of ${lines} lines are no events and were not replayed: handset import ${path} lists them`,
          ];
    return { path: recording, warnings: left, close };
  } catch (error) {
    close();
    throw error;
  }
}
