import { closeSync, openSync, readSync } from "node:fs";
import { APPLICATION_ID } from "../sqlite/schema/schema.js";

/** Length of SQLite's header (sqlite.org/fileformat.html 1.3). */
const HEADER_BYTES = 100;

/** The header of a SQLite file, cut short if the file is shorter; undefined if there is no file. */
export function headerOf(path: string): Buffer | undefined {
  let file: number;
  try {
    file = openSync(path, "r");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
  try {
    const header = Buffer.alloc(HEADER_BYTES);
    return header.subarray(0, readSync(file, header));
  } finally {
    closeSync(file);
  }
}

/** Whether a header is that of a recording: a fixed first line, and the application id at byte 68. */
export function isRecordingHeader(header: Buffer): boolean {
  return (
    header.length === HEADER_BYTES &&
    header.toString("latin1", 0, 15) === "SQLite format 3" &&
    header.readInt32BE(68) === APPLICATION_ID
  );
}

/**
 * Whether SQLite knows the file format in a recording's header. SQLite itself opens a file with an unknown write
 * version read-only, and reports an unknown schema format only when a statement runs.
 */
export function hasKnownFormat(header: Buffer): boolean {
  const pageSize = header.readUInt16BE(16);
  const [writeVersion, readVersion, reserved, mostPayload, leastPayload, leafPayload] = header.subarray(18, 24);
  return (
    (pageSize === 1 || (pageSize >= 512 && (pageSize & (pageSize - 1)) === 0)) &&
    (writeVersion ?? 0) <= 2 &&
    (readVersion ?? 0) <= 2 &&
    reserved === 0 &&
    mostPayload === 64 &&
    leastPayload === 32 &&
    leafPayload === 32 &&
    header.readUInt32BE(44) <= 4
  );
}
