/** Why a recording cannot be written or read. Stable codes. */
export type StoreErrorCode =
  | "recording-exists"
  | "is-a-folder"
  | "no-such-recording"
  | "no-such-folder"
  | "not-a-recording"
  | "unknown-format"
  | "older-recording"
  | "newer-recording"
  | "not-writable"
  | "not-readable"
  | "disk-full"
  | "disk-error"
  | "recording-damaged"
  | "recording-busy"
  | "recording-edited"
  | "writer-gone"
  | "not-resumable"
  | "not-the-same";

/** A recording cannot be written or read. The message says what failed, where, and what to do. */
export class StoreError extends Error {
  readonly code: StoreErrorCode;
  /** The recording's path. */
  readonly path: string;

  constructor(code: StoreErrorCode, path: string, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "StoreError";
    this.code = code;
    this.path = path;
  }
}

/** A row lacks a value that every recording has; `asStoreError` turns it into `recording-damaged`. */
export class DamagedRow extends Error {
  override readonly name = "DamagedRow";
}

/** What the program was doing with the recording; it decides the wording. */
export type Purpose = "write" | "read";

/** Error codes of Node and SQLite by prefix, and their StoreErrorCode. */
const meanings: readonly (readonly [prefix: string, code: StoreErrorCode])[] = [
  ["EEXIST", "recording-exists"],
  ["ENOENT", "no-such-folder"],
  ["ENOTDIR", "no-such-folder"],
  ["ENOSPC", "disk-full"],
  ["EDQUOT", "disk-full"],
  ["SQLITE_FULL", "disk-full"],
  ["EACCES", "not-writable"],
  ["EPERM", "not-writable"],
  ["EROFS", "not-writable"],
  ["EISDIR", "is-a-folder"],
  ["SQLITE_READONLY", "not-writable"],
  ["SQLITE_PERM", "not-writable"],
  ["SQLITE_CANTOPEN", "not-writable"],
  ["SQLITE_NOTADB", "not-a-recording"],
  ["SQLITE_CORRUPT", "recording-damaged"],
  ["SQLITE_BUSY", "recording-busy"],
  ["SQLITE_LOCKED", "recording-busy"],
  ["SQLITE_IOERR", "disk-error"],
  ["EIO", "disk-error"],
  ["EFBIG", "disk-error"],
  ["EMFILE", "disk-error"],
  ["ENFILE", "disk-error"],
  ["ENAMETOOLONG", "disk-error"],
];

/**
 * Turns an error of the file system or of SQLite into a StoreError. Anything else (a broken constraint, a wrong
 * type) is a defect of this program and is returned unchanged.
 */
export function asStoreError(error: unknown, path: string, purpose: Purpose): Error {
  if (error instanceof StoreError) return error;
  const name = error instanceof Error && "code" in error ? String(error.code) : "";
  // A row or a fact has invalid JSON: another program changed it.
  if (purpose === "read" && error instanceof SyntaxError) return storeError("recording-edited", path, "read");
  if (error instanceof DamagedRow) return storeError("recording-damaged", path, purpose);
  const found = meanings.find(([prefix]) => name.startsWith(prefix))?.[1];
  if (found === undefined) return error instanceof Error ? error : new Error(String(error));
  const code = purpose === "read" ? readingCode(found) : found;
  return new StoreError(code, path, `${sentence(code, path, purpose)} (${name})`, error);
}

function readingCode(code: StoreErrorCode): StoreErrorCode {
  if (code === "no-such-folder") return "no-such-recording";
  return code === "not-writable" ? "not-readable" : code;
}

function sentence(code: StoreErrorCode, path: string, purpose: Purpose): string {
  return `cannot ${purpose} the recording ${path}: ${reasons[code]}`;
}

/** The reason for each code, and the next step. */
const reasons: Readonly<Record<StoreErrorCode, string>> = {
  "recording-exists": "the file exists already; choose another path, or allow it to be overwritten",
  "is-a-folder": "it is a folder; add the name of a file",
  "no-such-recording": "there is no such file; check the path",
  "no-such-folder": "its folder does not exist; create the folder first",
  "not-a-recording": "the file is not a recording; choose another path",
  "unknown-format":
    "its header names a file format that SQLite does not know: the file is damaged; use a copy of it, or play the run again, its seed gives the same events",
  "older-recording":
    "a version before the first release made it, with other tables; play its scenario again, its seed gives the same events",
  "newer-recording": "a newer version made it; update handset-lab",
  "not-writable": "the file or its folder is not writable; choose another path or change its permissions",
  "not-readable": "it is not a readable file; check the path and its permissions",
  "disk-full": "the disk is full; free some space or choose a path on another disk",
  "disk-error": "the disk did not take or give it; choose a path on another disk",
  "recording-damaged": "the file is damaged; play the run again, its seed gives the same events",
  "recording-busy": "another program holds it; close that program and try again",
  "recording-edited":
    "it lacks tables, columns or facts of the run that a recording has, or they cannot be read: another program has changed it; play the run again, its seed gives the same events",
  "writer-gone":
    "the thread that writes it ended unexpectedly, possibly for lack of memory; the committed rows can be read, and handset run --resume resumes the run",
  "not-resumable": "another version made it, which wrote other rows; play its scenario again",
  "not-the-same":
    "re-executed, its scenario leads to other events: another version made it, or it was changed; play its scenario again",
};

/** Creates a StoreError with the message for its code. */
export function storeError(code: StoreErrorCode, path: string, purpose: Purpose): StoreError {
  return new StoreError(code, path, sentence(code, path, purpose));
}
