import type { Worker } from "node:worker_threads";
import { LabError, startWorker } from "../../../base/index.js";
import type {
  Minimiser,
  MinimiserInput,
  MinimiserResult,
  MinimiserRun,
  MinimiserStep,
} from "../../../control/index.js";
import { resetReceiver } from "../../reset-receiver.js";

/** What the thread posts. */
export type FromMinimiser =
  | { readonly kind: "ready" }
  | { readonly kind: "step"; readonly step: MinimiserStep }
  | { readonly kind: "result"; readonly result: MinimiserResult }
  | { readonly kind: "failed"; readonly message: string };

/** The `Minimiser` of a served lab: the search has a thread of its own. */
export const threadMinimiser: Minimiser = {
  start: minimiseInThread,
  reset: (request, receiver, isAllowed) => resetReceiver(request, receiver, { isAllowed }),
};

function minimiseInThread(input: MinimiserInput, onStep: (step: MinimiserStep) => void): MinimiserRun {
  let ending: "stop" | "close" | undefined;
  let worker: Worker | undefined;
  const end = (): void => {
    if (ending === "close") void worker?.terminate();
    if (ending === "stop") worker?.postMessage("stop");
  };
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
      end();
    }, reject);
  });
  // A rejection that comes before somebody awaits it must not end the process.
  result.catch(() => undefined);
  return {
    result,
    stop() {
      ending ??= "stop";
      end();
    },
    close() {
      ending = "close";
      end();
    },
  };
}
