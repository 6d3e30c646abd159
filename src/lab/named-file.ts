import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { inMiB, mostFileBytes } from "../scenario/index.js";

/** The reason why a file that a scenario or an option names is not read. */
export class FileRefusal extends Error {
  override readonly name = "FileRefusal";
}

/**
 * Reads the text of a regular file of at most 64 MiB.
 *
 * It is opened without blocking and checked before it is read: opening a FIFO would block until a writer opens it, and
 * a device such as /dev/zero has no end.
 *
 * @throws FileRefusal for other kinds of files, or a larger one
 * @throws the system's error if the file does not exist or is not readable
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

/** A reader of files by their paths relative to another file's folder. */
export function filesBeside(file: string): (path: string) => string {
  return (path) => readNamedFile(resolve(dirname(file), path));
}

function kindOf(stats: ReturnType<typeof fstatSync>): string {
  if (stats.isDirectory()) return "a folder";
  if (stats.isFIFO()) return "a FIFO";
  return stats.isSocket() ? "a socket" : "a device";
}
