/** A process that plays one part of a fleet for another one, which starts it (`processes.ts`). */

import { once } from "node:events";
import { LabError } from "../base/index.js";
import { runScenario, type RunStart } from "../run/index.js";
import { StoreError } from "../store/index.js";
import type { FromPart, PartFailure, ToPart } from "./part-messages.js";

/** How often it tells where it stands. Wall milliseconds. */
const TELL_MS = 200;

const stopping = new AbortController();
const going = new AbortController();

// Ctrl-C reaches every process of a terminal; who started us says what is to be done.
process.on("SIGINT", () => undefined);
process.on("SIGTERM", () => stopping.abort());
// Nobody is left who wants to know: nothing may go on by itself.
process.on("disconnect", () => process.exit());
process.on("message", (message: ToPart) => {
  if (message.kind === "play") void play(message);
  else if (message.kind === "go") going.abort();
  else stopping.abort();
});

async function play({ scenario, options }: Extract<ToPart, { kind: "play" }>): Promise<void> {
  let telling: NodeJS.Timeout | undefined;
  try {
    const { result, exitCode } = await runScenario(scenario, {
      ...options,
      signal: stopping.signal,
      onStart(start: RunStart) {
        tell({ kind: "started", receiver: start.receiver, isBundled: start.isBundled });
        telling = setInterval(() => tell({ kind: "progress", progress: start.progress() }), TELL_MS);
      },
      async begins() {
        tell({ kind: "ready" });
        const either = AbortSignal.any([going.signal, stopping.signal]);
        if (!either.aborted) await once(either, "abort");
      },
    });
    leaveWith({ kind: "done", result, exitCode });
  } catch (error) {
    leaveWith({ kind: "failed", failure: failureOf(error) });
  } finally {
    clearInterval(telling);
  }
}

function tell(message: FromPart): void {
  process.send?.(message);
}

function leaveWith(message: FromPart): void {
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
