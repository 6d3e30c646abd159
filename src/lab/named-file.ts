import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { inMiB, mostFileBytes } from "../scenario/index.js";

/** Why a file that a scenario or an option names is not read. */
export class FileRefusal extends Error {
  override readonly name = "FileRefusal";
}

/**
 * Reads the text of a regular file of at most 64 MiB.
 *
 * The file is opened without waiting and looked at before it is read: a FIFO would block until somebody writes, and a
 * device such as /dev/zero has no end.
 *
 * @throws FileRefusal for what is no regular file, or a larger one
 * @throws the system's error where there is none, or it may not be read
 */
export function readNamedFile(path: string): string {
  const descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) throw new FileRefusal(`it is ${kindOf(stats)}, not a regular file`);
    if (stats.size > mostFileBytes) {
      throw new FileRefusal(`it has ${inMiB(stats.size)}, at most ${inMiB(mostFileBytes)} are read`);
    }
    return readFileSync(descriptor, "utf8");
  } finally {
    closeSync(descriptor);
  }
}

/** Reads files that a file names, by their paths from its folder. */
export function filesBeside(file: string): (path: string) => string {
  return (path) => readNamedFile(resolve(dirname(file), path));
}

function kindOf(stats: ReturnType<typeof fstatSync>): string {
  if (stats.isDirectory()) return "a folder";
  if (stats.isFIFO()) return "a FIFO";
  return stats.isSocket() ? "a socket" : "a device";
}
