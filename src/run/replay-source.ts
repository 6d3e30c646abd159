import { LabError } from "../base/index.js";
import { isRecording } from "../serve/index.js";

/**
 * The recording to replay.
 *
 * @param path - of a recording
 * @throws LabError `bad-options` for a file that is no database, such as a log
 */
export function recordingToReplay(path: string): string {
  if (isRecording(path)) return path;
  throw new LabError("bad-options", `${path} is not a recording`, {
    hint: "handset run SCENARIO --recording day.db writes one",
  });
}
