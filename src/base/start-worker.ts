import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";

/** A worker thread's module, and what it is given. */
export interface WorkerStart {
  /** `import.meta.url` of the module that starts the thread. */
  readonly from: string;
  /** The thread's compiled module in the same folder: `writer-thread.js`. */
  readonly file: string;
  readonly workerData: unknown;
  /** For the error: `the thread that …`. */
  readonly name: string;
}

/**
 * Starts a worker thread and waits for its first message.
 *
 * Worker threads cannot load TypeScript: a caller that runs from `src` (in tests) starts the thread from `dist`.
 *
 * @throws Error when the thread ends or fails before its first message
 */
export async function startWorker({ from, file, workerData, name }: WorkerStart): Promise<Worker> {
  const path = fileURLToPath(new URL(file, from));
  const worker = new Worker(from.endsWith(".ts") ? compiled(path) : path, { workerData });
  const settled = new AbortController();
  await Promise.race([
    once(worker, "message", { signal: settled.signal }),
    once(worker, "exit", { signal: settled.signal }).then(() => {
      throw new Error(`${name} did not start`);
    }),
  ]).finally(() => settled.abort());
  return worker;
}

function compiled(path: string): string {
  const at = path.lastIndexOf("/src/");
  return `${path.slice(0, at)}/dist/${path.slice(at + "/src/".length)}`;
}
