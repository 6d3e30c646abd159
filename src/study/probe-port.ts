import { setTimeout as sleep } from "node:timers/promises";
import { postOnce } from "../http/index.js";
import { encodeForm } from "../wire/index.js";

/** Sends probes to a receiver, on a clock. */
export interface ProbePort {
  /** Sends probes at the same time. @returns milliseconds to each answer, or the error */
  sendTogether(count: number): Promise<readonly (number | string)[]>;
  /** Wall milliseconds. */
  nowMs(): number;
  /** Ends early if the search is stopped. */
  sleep(ms: number): Promise<void>;
}

/** The receiver that is probed. */
export interface ProbedReceiver {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly ca?: string;
  readonly signal?: AbortSignal;
}

const TIMEOUT_MS = 5_000;

/**
 * The body of a probe: an event of an unknown type, which receivers must tolerate and mostly ignore. Only the time to
 * the answer matters, not its status.
 */
const probe = encodeForm([
  ["event", "probe"],
  ["relayer", "0"],
]);

/** Probes a receiver over HTTP, each probe over a connection of its own. */
export function httpProbes({ url, headers, ca, signal }: ProbedReceiver): ProbePort {
  const sendOne = async (): Promise<number | string> => {
    const { status, durationMs, error } = await postOnce({
      url,
      body: probe,
      headers,
      timeoutMs: TIMEOUT_MS,
      ca,
    });
    return status === null ? (error ?? "no-answer") : durationMs;
  };
  return {
    sendTogether: (count) => Promise.all(Array.from({ length: count }, sendOne)),
    nowMs: () => performance.now(),
    sleep: (ms) => sleep(ms, undefined, signal && { signal }).catch(() => undefined),
  };
}
