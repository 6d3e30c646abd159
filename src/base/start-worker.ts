import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { bundledModule } from "./package-files.js";

/** A worker thread's module and data. */
export interface WorkerStart {
  /** The thread's compiled module, from `src`: `store/writer/writer-thread.js`. */
  readonly module: string;
  readonly workerData: unknown;
  /** For the error: `the thread that …`. */
  readonly name: string;
  /** Gets all messages, from the first one. */
  readonly onMessage?: (message: unknown) => void;
}

/**
 * Runs a worker thread that posts one message and ends. It does not keep the process alive.
 *
 * @throws Error when the thread ends or fails without a message
 */
export async function runWorker(start: Omit<WorkerStart, "onMessage">): Promise<unknown> {
  let answer: unknown;
  const worker = await startWorker({ ...start, onMessage: (message) => (answer = message) });
  void worker.terminate();
  return answer;
}

/**
 * Starts a worker thread and waits for its first message.
 *
 * @throws Error when the thread ends or fails before its first message
 */
export async function startWorker({ module, workerData, name, onMessage }: WorkerStart): Promise<Worker> {
  const worker = new Worker(bundledModule(module), { workerData });
  if (onMessage !== undefined) worker.on("message", onMessage);
  const settled = new AbortController();
  await Promise.race([
    once(worker, "message", { signal: settled.signal }),
    once(worker, "exit", { signal: settled.signal }).then(() => {
      throw new Error(`${name} did not start`);
    }),
  ]).finally(() => settled.abort());
  return worker;
}
