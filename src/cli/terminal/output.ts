import { once } from "node:events";
import type { Output } from "./io.js";

/** An output of the process that may fail: a full disk, a reader that is gone. */
export interface ProcessOutput extends Output {
  /** Why nothing more can be written; undefined: it can. */
  readonly failure: NodeJS.ErrnoException | undefined;
}

/**
 * A stream of the process. After it has failed, writes are dropped, so that a running command can finish.
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
  return {
    get failure() {
      return failure;
    },
    write(text) {
      if (failure !== undefined) return;
      try {
        stream.write(text);
      } catch (error) {
        // Writes to a file are synchronous, and Node throws their errors.
        fail(error as NodeJS.ErrnoException);
      }
    },
    async drained() {
      if (failure === undefined && stream.writableNeedDrain) {
        // Aborted, the event that did not come leaves no listener behind.
        const over = new AbortController();
        const { signal } = over;
        await Promise.race([once(stream, "drain", { signal }), once(stream, "close", { signal })]).catch(
          () => undefined,
        );
        over.abort();
      }
    },
    isTTY: stream.isTTY,
    get columns() {
      return stream.columns ?? 80;
    },
    colours,
  };
}

/** Whether the reader closed the pipe, as `head` does: no error. */
export function isReaderGone({ failure }: ProcessOutput): boolean {
  return failure?.code === "EPIPE";
}
