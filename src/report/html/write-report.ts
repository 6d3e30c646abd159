import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { extname } from "node:path";
import { GENERATOR_TAG } from "./page.js";

/** Default path of the report: the recording's path with the extension `.html`. */
export function reportPath(recording: string): string {
  const ending = extname(recording);
  return `${ending === "" ? recording : recording.slice(0, -ending.length)}.html`;
}

/**
 * Writes a page to a file atomically, by a temporary file and rename.
 *
 * @param options - `onlyReports`: do not overwrite an existing file that is not a report of the lab
 * @returns false: such a file exists, and nothing was written
 * @throws the file system's errors
 */
export function writeReport(path: string, page: string, options: { readonly onlyReports: boolean }): boolean {
  if (options.onlyReports && existsSync(path) && !isReport(path)) return false;
  const unfinished = `${path}.${process.pid}.tmp`;
  try {
    writeFileSync(unfinished, page);
    renameSync(unfinished, path);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
  return true;
}

function isReport(path: string): boolean {
  return readFileSync(path, "utf8").slice(0, 2000).includes(GENERATOR_TAG);
}
