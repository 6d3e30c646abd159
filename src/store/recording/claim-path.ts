import { closeSync, openSync, readSync, rmSync, statSync } from "node:fs";
import { storeError } from "../sqlite/errors.js";
import { APPLICATION_ID } from "../sqlite/migrations/index.js";

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

/** The first bytes of a file; undefined when there is none. */
function headerOf(path: string): Buffer | undefined {
  let file: number;
  try {
    file = openSync(path, "r");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
  try {
    const header = Buffer.alloc(100);
    return header.subarray(0, readSync(file, header));
  } finally {
    closeSync(file);
  }
}

/** SQLite's file format: a fixed first line, and the application id at byte 68 (sqlite.org/fileformat.html 1.3). */
function isRecordingHeader(header: Buffer): boolean {
  return (
    header.length === 100 &&
    header.toString("latin1", 0, 15) === "SQLite format 3" &&
    header.readInt32BE(68) === APPLICATION_ID
  );
}
