/** Minimises exact requests in a thread: the search would take the event loop of a served lab for seconds. */
import { parentPort, workerData } from "node:worker_threads";
import type { MinimiserInput, MinimiserResult } from "../../../control/index.js";
import { readFailureCondition } from "../../../expect/index.js";
import { countOf } from "../../../report/index.js";
import { bugTextOf } from "../bug/write-bugs.js";
import { minimiseRequests } from "../minimise.js";
import type { Minimised } from "../options.js";
import type { FromMinimiser } from "./minimise-in-thread.js";

/** Wall milliseconds of the search. */
const TIME_LIMIT_MS = 60_000;

/** Wall milliseconds that the receiver has to accept the first connection. */
const WAIT_MS = 5000;

/** What the service gives a receiver: docs/reference/webhook.md#transport. */
const TIMEOUT_MS = 5000;

async function minimise({
  requests,
  receiver,
  condition,
  reset,
  allowHosts,
  file,
}: MinimiserInput): Promise<MinimiserResult> {
  const read = readFailureCondition([condition]);
  if (!("condition" in read)) throw new Error(`${condition} is no condition`);
  const stopping = new AbortController();
  // Only `stop` is posted to it.
  parentPort?.once("message", () => stopping.abort());
  const found = await minimiseRequests({
    path: "the recording",
    requests,
    receiver,
    condition: read.condition,
    reset,
    allowHosts,
    signal: stopping.signal,
    timeLimitMs: TIME_LIMIT_MS,
    // It has answered the lab, so it is there; a busy machine may take its time to connect.
    waitMs: WAIT_MS,
    timeoutMs: TIMEOUT_MS,
    onStep: ({ phase, trials, events }) => send({ kind: "step", step: { phase, trials, events } }),
  });
  const { reproduced, contaminated, trials, before, after } = found;
  if (!reproduced || contaminated) {
    return {
      ending: reproduced ? "forgets-nothing" : "passes",
      words: whyNot(found, reset !== undefined),
      events: before.events,
      trials,
    };
  }
  const about = { before, seed: 1, timeoutMs: TIMEOUT_MS, atMs: Date.now(), file };
  return { ending: "found", words: whatCame(found), yaml: bugTextOf(found, about), events: after.events, trials };
}

function whyNot({ reproduced, failed, of, contamination, condition }: Minimised, isReset: boolean): string[] {
  return reproduced
    ? [
        "The receiver remembers earlier plays, so that a trial shows what the trials before it left behind: a result would be wrong.",
        `Seen: ${contamination}.`,
      ]
    : [
        `${condition} did not come again in ${countOf(of, "play")}${failed === 0 ? "" : `, but ${failed}`}.`,
        isReset
          ? "The receiver may have been fixed, or it takes more than these requests from a fresh start."
          : "The receiver may have been fixed, or it remembers these events from the time before.",
      ];
}

function whatCame({ before, after, failed, of, oneMinimal, endedBy }: Minimised): string[] {
  return [
    `${countOf(before.events, "request")} became ${after.events}.`,
    failed === of ? `It failed in each of ${countOf(of, "run")}.` : `It failed in ${failed} of ${countOf(of, "run")}.`,
    oneMinimal
      ? after.events === 1
        ? ""
        : "Without one of them it does not fail."
      : `A smaller one may exist: ${endedBy.replace(/: --.*/, "")}.`,
  ].filter((sentence) => sentence !== "");
}

function send(message: FromMinimiser): void {
  parentPort?.postMessage(message);
}

send({ kind: "ready" });
await minimise(workerData as MinimiserInput)
  .then(
    (result) => send({ kind: "result", result }),
    (error: unknown) => {
      const { code, message, hint } = error as {
        readonly code?: string;
        readonly message: string;
        readonly hint?: string;
      };
      // Hints about a receiver that is away name options of a terminal.
      send({ kind: "failed", message: hint === undefined || code === "no-receiver" ? message : `${message}: ${hint}` });
    },
  )
  // A listener would keep the thread alive.
  .finally(() => parentPort?.close());
