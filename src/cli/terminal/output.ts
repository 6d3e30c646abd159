import { once } from "node:events";
import { fstatSync } from "node:fs";
import type { Output } from "./io.js";

/** An output of the process. It may fail, when the disk is full or the reader has closed the pipe. */
export interface ProcessOutput extends Output {
  /** The error after which all writes are dropped; undefined: none. */
  readonly failure: NodeJS.ErrnoException | undefined;
}

/**
 * An output to a stream of the process. After the stream fails, writes are dropped, so a running command can finish.
 *
 * @param failed - called once, when the stream fails
 */
export function processOutput(
  stream: NodeJS.WriteStream,
  { colours, failed }: { readonly colours: Output["colours"]; readonly failed: () => void },
): ProcessOutput {
  let failure: NodeJS.ErrnoException | undefined;
  const fail = (error: NodeJS.ErrnoException): void => {
    if (failure !== undefined) return;
    failure = error;
    failed();
  };
  stream.on("error", fail);
  const write = (chunk: string | Uint8Array): void => {
    if (failure !== undefined) return;
    try {
      stream.write(chunk);
    } catch (error) {
      // Writes to a file are synchronous, so Node throws their errors.
      fail(error as NodeJS.ErrnoException);
    }
  };
  return {
    get failure() {
      return failure;
    },
    write,
    bytes: write,
    async drained() {
      if (failure === undefined && stream.writableNeedDrain) {
        // Aborting removes the listener of the event that did not come.
        const over = new AbortController();
        const { signal } = over;
        await Promise.race([once(stream, "drain", { signal }), once(stream, "close", { signal })]).catch(
          () => undefined,
        );
        over.abort();
      }
    },
    isTTY: stream.isTTY,
    get isPipe() {
      return isPipe(stream);
    },
    get columns() {
      return stream.columns ?? 80;
    },
    colours,
  };
}

function isPipe(stream: NodeJS.WriteStream): boolean {
  if (!("fd" in stream) || typeof stream.fd !== "number") return false;
  try {
    const stats = fstatSync(stream.fd);
    return stats.isFIFO() || stats.isSocket();
  } catch {
    return false; // it is closed
  }
}

/** Whether the reader closed the pipe, as `head` does; this is not an error of the command. */
export function isReaderGone({ failure }: ProcessOutput): boolean {
  return failure?.code === "EPIPE";
}
