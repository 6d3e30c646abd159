import { LabError } from "../base/index.js";
import { lockRecording, StoreError } from "../store/index.js";

/**
 * Takes a database for this process: two servers that write to one would undo each other's work.
 *
 * @returns gives it back; may be called twice
 * @throws LabError `database-taken`
 */
export function lockDatabase(database: string): () => void {
  try {
    return lockRecording(database);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    // A folder that is not there or not ours: whoever opens the database says so better.
    if (error.code !== "recording-busy") return () => undefined;
    throw new LabError("database-taken", `${database} is served already`, {
      hint: "end that server, or name another file",
      cause: error,
    });
  }
}
