import { closeSync, openSync, readSync, rmSync, statSync } from "node:fs";
import { storeError } from "../sqlite/errors.js";
import { APPLICATION_ID } from "../sqlite/migrations/index.js";

/**
 * Makes the empty file of a new recording, so that a path is never taken twice, and old leftovers beside it do not
 * come alive.
 *
 * @param options - `overwrite`: a recording that is there is taken away; other files never are
 * @throws StoreError, or what the file system throws
 */
export function claimPath(path: string, { overwrite }: { overwrite: boolean }): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) throw storeError("is-a-folder", path, "write");
  if (overwrite) discard(path);
  // For this user only: a recording may hold tokens, and always texts and phone numbers. SQLite gives its WAL the same mode.
  closeSync(openSync(path, "wx", 0o600));
  for (const suffix of ["-wal", "-shm", "-journal"]) rmSync(path + suffix, { force: true });
}

/** Takes an old recording away, or an empty file; anything else is refused. */
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
