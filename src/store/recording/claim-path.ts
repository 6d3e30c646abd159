import { closeSync, openSync, rmSync, statSync } from "node:fs";
import { storeError } from "../sqlite/errors.js";
import { headerOf, isRecordingHeader } from "./file-header.js";

/**
 * Creates the empty file of a new recording exclusively: two processes never get the same path. Removes the WAL of an
 * earlier file, which SQLite would apply to the new one.
 *
 * @param options - `overwrite`: removes an existing recording; other files never
 * @throws StoreError, or what the file system throws
 */
export function claimPath(path: string, { overwrite }: { overwrite: boolean }): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) throw storeError("is-a-folder", path, "write");
  if (overwrite) discard(path);
  // Only this user can read it: a recording holds texts and phone numbers, and may hold tokens. SQLite gives its WAL
  // the same mode.
  closeSync(openSync(path, "wx", 0o600));
  for (const suffix of ["-wal", "-shm", "-journal"]) rmSync(path + suffix, { force: true });
}

/** Removes an old recording or an empty file; refuses anything else. */
function discard(path: string): void {
  const header = headerOf(path);
  if (header === undefined) return;
  if (header.length > 0 && !isRecordingHeader(header)) throw storeError("not-a-recording", path, "write");
  rmSync(path);
}
