import { spawnSync } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { devNull } from "node:os";
import { fileURLToPath } from "node:url";

const scan = fileURLToPath(new URL("./scan-events.js", import.meta.url));

/** Wall seconds of Node with a script, from its start to its exit. @param output - file of what it prints */
export function secondsOf(args: readonly string[], output: string = devNull): number {
  const file = openSync(output, "w");
  try {
    const startedAt = performance.now();
    const { status, stderr } = spawnSync(process.execPath, args, { stdio: ["ignore", file, "pipe"] });
    if (status !== 0) throw new Error(`${args.join(" ")} exited with ${status}: ${String(stderr)}`);
    return (performance.now() - startedAt) / 1000;
  } finally {
    closeSync(file);
  }
}

/** The plain scan, the unit for commands that read a recording: a process that reads all rows of the event table. */
export function secondsOfScan(recording: string): number {
  return secondsOf([scan, recording]);
}
