import { renameSync, rmSync, writeFileSync } from "node:fs";

/**
 * Writes a file atomically, by a temporary file `PATH.new` and rename: readers and a kill see the old file or the
 * whole new one. Only this user can read it.
 *
 * @param beforeRename - removes what belongs to the old file
 * @throws the file system's errors
 */
export function replaceFile(path: string, content: string | Uint8Array, beforeRename?: () => void): void {
  const unfinished = `${path}.new`;
  rmSync(unfinished, { force: true }); // one that a killed process left would keep its mode
  writeFileSync(unfinished, content, { mode: 0o600 });
  beforeRename?.();
  renameSync(unfinished, path);
}
