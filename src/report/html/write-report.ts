import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { extname } from "node:path";
import { GENERATOR_TAG } from "./page.js";

/** Beside a recording: its name, with `.html`. */
export function reportPath(recording: string): string {
  const ending = extname(recording);
  return `${ending === "" ? recording : recording.slice(0, -ending.length)}.html`;
}

/**
 * Writes a page to a file, whole or not at all.
 *
 * @param options - `onlyReports`: a file that is there and is no report of ours stays as it is
 * @returns false where such a file is in the way
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
