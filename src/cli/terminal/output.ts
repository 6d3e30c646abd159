import { once } from "node:events";
import type { Output } from "./io.js";

/** An output of the process that may fail: a full disk, a reader that is gone. */
export interface ProcessOutput extends Output {
  /** Why nothing more can be written; undefined: it can. */
  readonly failure: NodeJS.ErrnoException | undefined;
}

/**
 * A stream of the process. Once it has failed, what is written is dropped, so that what is under way comes to its end.
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
        // A file is written at once, and Node throws what goes wrong.
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

/** Whoever read has what they wanted, as `head` has. */
export function isReaderGone({ failure }: ProcessOutput): boolean {
  return failure?.code === "EPIPE";
}
