import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, onTestFinished } from "vitest";

/** Creates a temporary folder for the running test, which removes it at its end. */
export function temporaryFolder(): string {
  const folder = createFolder();
  onTestFinished(() => removeFolder(folder));
  return folder;
}

/** Creates a temporary folder for all tests of a file or a `describe`, which removes it after the last of them. */
export function sharedFolder(): string {
  const folder = createFolder();
  afterAll(() => removeFolder(folder));
  return folder;
}

function createFolder(): string {
  return mkdtempSync(join(tmpdir(), "handset-lab-"));
}

function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}
