import { existsSync, readFileSync } from "node:fs";
import { extname } from "node:path";
import { replaceFile } from "../../base/index.js";
import { GENERATOR_TAG } from "./page.js";

/** Default path of the report: the recording's path with the extension `.html`. */
export function reportPath(recording: string): string {
  const ending = extname(recording);
  return `${ending === "" ? recording : recording.slice(0, -ending.length)}.html`;
}

/**
 * Writes a page to a file atomically, see `replaceFile`.
 *
 * @param options - `onlyReports`: do not overwrite an existing file that is not a report of the lab
 * @returns false: such a file exists, and nothing was written
 * @throws the file system's errors
 */
export function writeReport(path: string, page: string, options: { readonly onlyReports: boolean }): boolean {
  if (options.onlyReports && existsSync(path) && !isReport(path)) return false;
  replaceFile(path, page, { mode: 0o666 }); // reports are for sharing: the umask restricts who can read them
  return true;
}

function isReport(path: string): boolean {
  return readFileSync(path, "utf8").slice(0, 2000).includes(GENERATOR_TAG);
}
