import type { OnProgress, OperationProgress } from "../../base/index.js";
import { count, longSpan } from "../printing/numbers.js";
import type { Io, Output } from "./io.js";
import { type Live, liveOn } from "./live-lines.js";

/** Operations that end sooner show nothing. Wall milliseconds. */
const QUIET_MS = 2000;
/** Interval between redraws. Wall milliseconds. */
const REDRAW_MS = 100;

/**
 * Runs a long operation and shows its progress in one live line, once it takes over two seconds. Only a terminal on
 * stderr gets it, and only if stdout is no pipe: the program behind it, such as `less`, may draw on the same terminal. The
 * line is removed at the end.
 *
 * @param operate - gets streams that remove the line before they write to the terminal
 */
export async function showingProgress<T>(
  io: Io,
  operate: (onProgress: OnProgress, io: Io) => T | Promise<T>,
): Promise<T> {
  const { stdout, stderr } = io;
  const live = stdout.isPipe === true ? undefined : await liveOn(stderr);
  const line = new OperationLine(live, stderr.columns);
  const clear = (): void => line.clear();
  const clearing = { ...io, stdout: writingAfter(stdout, clear), stderr: writingAfter(stderr, clear) };
  try {
    return await operate((progress) => line.show(progress), clearing);
  } finally {
    clear();
  }
}

/** The same output, which calls `before` first if it is a terminal. */
function writingAfter(output: Output, before: () => void): Output {
  if (!output.isTTY) return output;
  const names = (["write", "painted", "document", "bytes"] as const).filter((name) => output[name] !== undefined);
  const writers = names.map((name) => {
    const value = (text: never): void => {
      before();
      output[name]?.(text);
    };
    return [name, { value }];
  });
  return Object.create(output, Object.fromEntries(writers) as PropertyDescriptorMap) as Output;
}

/**
 * The live line of an operation. It draws within `show`, not by a timer, because most operations do not return to the
 * event loop.
 */
export class OperationLine {
  readonly #live: Live | undefined;
  readonly #columns: number;
  readonly #beganAtMs = performance.now();
  #operation = "";
  #operationAtMs = 0;
  #drawnAtMs = -Infinity;
  #isDrawn = false;

  /** @param live - undefined: nothing is shown */
  constructor(live: Live | undefined, columns: number) {
    this.#live = live;
    this.#columns = columns;
  }

  show(progress: OperationProgress): void {
    if (this.#live === undefined) return;
    const nowMs = performance.now();
    if (progress.operation !== this.#operation) {
      this.#operation = progress.operation;
      this.#operationAtMs = nowMs;
      this.#drawnAtMs = -Infinity;
    }
    if (progress.isLong !== true && (nowMs - this.#beganAtMs < QUIET_MS || nowMs - this.#drawnAtMs < REDRAW_MS)) return;
    this.#drawnAtMs = nowMs;
    this.#isDrawn = true;
    this.#live(lineOf(progress, nowMs - this.#operationAtMs).slice(0, this.#columns - 1));
  }

  /** Removes the line until the next `show`; may be called twice. */
  clear(): void {
    if (this.#isDrawn) this.#live?.clear();
    this.#isDrawn = false;
  }
}

/** `reading events   37 %  370,000 of 1,000,000, about 12 s left`. */
function lineOf({ operation, done, total }: OperationProgress, elapsedMs: number): string {
  if (total === 0) return `${operation}…`;
  const share = Math.min(1, done / total);
  const parts = `${operation} ${String(Math.floor(100 * share)).padStart(3)} %  ${count(done)} of ${count(total)}`;
  const leftMs = (elapsedMs * (1 - share)) / share;
  // Soon after its begin an operation's rate says little.
  if (share < 0.02 || leftMs < 1000 || elapsedMs < QUIET_MS / 2) return parts;
  return `${parts}, about ${longSpan(leftMs)} left`;
}
