import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { LabError } from "../base/index.js";
import { addressOf, lookupFor, postOnce } from "../http/index.js";
import type { ReceiverInput } from "../scenario/index.js";

/** Switches how a bundled receiver answers: one in this process, or one that `handset receive` started. */
export interface ReceiverSwitch {
  answer(input: ReceiverInput): Promise<void>;
}

/**
 * Waits until something listens at the URL's host and port, or `signal` aborts.
 *
 * @throws LabError `no-receiver` after `waitMs`
 */
export async function waitForReceiver(url: string, waitMs: number, signal?: AbortSignal): Promise<void> {
  const { host, port } = addressOf(new URL(url));
  const endsAt = performance.now() + waitMs;
  for (;;) {
    const failure = await probeConnection(host, port);
    if (failure === undefined || signal?.aborted === true) return;
    if (performance.now() >= endsAt) {
      throw new LabError("no-receiver", `nothing listens at ${host}:${port} after ${waitMs / 1000} s (${failure})`, {
        hint: "start the receiver first, or wait longer with --wait",
      });
    }
    await sleep(100);
  }
}

/** Whether something listens at the URL's host and port now. */
export async function isListening(url: string): Promise<boolean> {
  const { host, port } = addressOf(new URL(url));
  return (await probeConnection(host, port)) === undefined;
}

/** Wall time for a request to a switch. */
const SWITCH_TIMEOUT_MS = 2000;

/**
 * Tries to connect.
 * @returns the error's code; undefined when it connected
 */
function probeConnection(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, lookup: lookupFor(host), timeout: 1000 });
    const end = (failure: string | undefined): void => {
      socket.destroy();
      resolve(failure);
    };
    socket.once("connect", () => end(undefined));
    socket.once("timeout", () => end("ETIMEDOUT"));
    socket.once("error", (error: NodeJS.ErrnoException) => end(error.code ?? error.message));
  });
}

/**
 * The switch of a bundled receiver in another process, found by its control path; undefined: the receiver is not a
 * bundled one.
 */
export async function findReceiverSwitch(url: string): Promise<ReceiverSwitch | undefined> {
  const control = new URL("/_handset-lab", url).href;
  try {
    const { body: bytes } = await postOnce({ url: control, method: "GET", body: "", timeoutMs: SWITCH_TIMEOUT_MS });
    const body: unknown = JSON.parse(Buffer.from(bytes ?? []).toString());
    if (typeof body !== "object" || body === null || !("receiver" in body) || body.receiver !== "handset-lab")
      return undefined;
  } catch {
    return undefined;
  }
  return {
    async answer(input) {
      const { answers, status } = input;
      const { error } = await postOnce({
        url: `${control}/answers`,
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ answers: answers === "status" ? status : answers }),
        timeoutMs: SWITCH_TIMEOUT_MS,
      });
      if (error !== null)
        throw new LabError("no-receiver", `the receiver's switch at ${control} does not answer (${error})`);
    },
  };
}
