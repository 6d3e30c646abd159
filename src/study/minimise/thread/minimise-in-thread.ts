import type { Worker } from "node:worker_threads";
import { LabError, startWorker } from "../../../base/index.js";
import type { MinimiserInput, MinimiserResult, MinimiserRun, MinimiserStep } from "../../../control/index.js";

/** What the thread posts. */
export type FromMinimiser =
  | { readonly kind: "ready" }
  | { readonly kind: "step"; readonly step: MinimiserStep }
  | { readonly kind: "result"; readonly result: MinimiserResult }
  | { readonly kind: "failed"; readonly message: string };

/** Minimises exact requests in a thread of its own: the `Minimiser` of a served lab. */
export function minimiseInThread(input: MinimiserInput, onStep: (step: MinimiserStep) => void): MinimiserRun {
  let isClosed = false;
  let worker: Worker | undefined;
  const result = new Promise<MinimiserResult>((resolve, reject) => {
    const hear = (message: FromMinimiser): void => {
      if (message.kind === "step") onStep(message.step);
      else if (message.kind === "result") resolve(message.result);
      else if (message.kind === "failed") reject(new LabError("bad-options", message.message));
    };
    startWorker({
      module: "study/minimise/thread/minimise-thread.js",
      workerData: input,
      name: "the thread that minimises",
      onMessage: (message) => hear(message as FromMinimiser),
    }).then((started) => {
      worker = started;
      started.on("error", reject);
      started.on("exit", () => reject(new LabError("bad-options", "stopped")));
      if (isClosed) void started.terminate();
    }, reject);
  });
  // A rejection that comes before somebody awaits it must not end the process.
  result.catch(() => undefined);
  return {
    result,
    close() {
      isClosed = true;
      void worker?.terminate();
    },
  };
}
