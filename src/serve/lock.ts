import { LabError } from "../base/index.js";
import { lockRecording, StoreError } from "../store/index.js";

/**
 * Locks a database for this process: two servers that write to one would overwrite each other's rows.
 *
 * @returns unlocks it; may be called twice
 * @throws LabError `database-taken`
 */
export function lockDatabase(database: string): () => void {
  try {
    return lockRecording(database);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    // A missing or unwritable folder: opening the database gives the better error.
    if (error.code !== "recording-busy") return () => undefined;
    throw new LabError("database-taken", `${database} is served already`, {
      hint: "end that server, or name another file",
      cause: error,
    });
  }
}
