import { renameSync, rmSync, writeFileSync } from "node:fs";

/**
 * Writes a file atomically, by a temporary file `PATH.new` and rename: readers see the old file or the whole new one,
 * even if the process is killed. After an error the old file is unchanged, and the temporary one is removed.
 *
 * @param options - `mode`: permissions of the file; default: only this user can read it. `beforeRename` removes what
 *   belongs to the old file
 * @throws the file system's errors
 */
export function replaceFile(
  path: string,
  content: string | Uint8Array,
  { mode = 0o600, beforeRename }: { readonly mode?: number; readonly beforeRename?: () => void } = {},
): void {
  const unfinished = `${path}.new`;
  rmSync(unfinished, { force: true }); // a leftover of a killed process would keep its mode
  try {
    writeFileSync(unfinished, content, { mode });
    beforeRename?.();
    renameSync(unfinished, path);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
}
