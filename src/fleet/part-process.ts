/** Entry point of a process that plays one part of a fleet. `processes.ts` forks it. */

import { once } from "node:events";
import { LabError } from "../base/index.js";
import { runScenario, type RunStart } from "../run/index.js";
import { StoreError } from "../store/index.js";
import type { MessageFromPart, PartFailure, MessageToPart } from "./part-messages.js";

/** Interval of progress messages. Wall milliseconds. */
const PROGRESS_MS = 200;

const stopController = new AbortController();
const goController = new AbortController();

// Ctrl-C in a terminal reaches every process; the parent decides and sends `stop`.
process.on("SIGINT", () => undefined);
process.on("SIGTERM", () => stopController.abort());
// The parent is gone: the part must not continue alone.
process.on("disconnect", () => process.exit());
process.on("message", (message: MessageToPart) => {
  if (message.kind === "play") void play(message);
  else if (message.kind === "go") goController.abort();
  else stopController.abort();
});

async function play({ scenario, options }: Extract<MessageToPart, { kind: "play" }>): Promise<void> {
  let progressTimer: NodeJS.Timeout | undefined;
  try {
    const { result, exitCode } = await runScenario(scenario, {
      ...options,
      signal: stopController.signal,
      onStart(start: RunStart) {
        sendToParent({ kind: "started", receiver: start.receiver, isBundled: start.isBundled });
        progressTimer = setInterval(() => sendToParent({ kind: "progress", progress: start.progress() }), PROGRESS_MS);
      },
      async beforeStart() {
        sendToParent({ kind: "ready" });
        const either = AbortSignal.any([goController.signal, stopController.signal]);
        if (!either.aborted) await once(either, "abort");
      },
    });
    sendAndExit({ kind: "done", result, exitCode });
  } catch (error) {
    sendAndExit({ kind: "failed", failure: failureOf(error) });
  } finally {
    clearInterval(progressTimer);
  }
}

function sendToParent(message: MessageFromPart): void {
  process.send?.(message);
}

function sendAndExit(message: MessageFromPart): void {
  process.send?.(message, undefined, undefined, () => process.exit());
}

function failureOf(error: unknown): PartFailure {
  if (error instanceof LabError) {
    const cause = error.cause instanceof Error ? `: ${error.cause.message}` : "";
    return { kind: "lab", code: error.code, message: error.message + cause, hint: error.hint };
  }
  if (error instanceof StoreError) {
    return { kind: "store", code: error.code, path: error.path, message: error.message };
  }
  return { kind: "other", text: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}
