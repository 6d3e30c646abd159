import { setTimeout as sleep } from "node:timers/promises";
import { LabError } from "../base/index.js";
import { allowedHosts, postOnce } from "../http/index.js";
import { encodeForm, redactedUrl } from "../wire/index.js";

/** How the receiver is probed. */
export interface RecoveryOptions {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly ca?: string;
  readonly allowHosts: readonly string[];
  /** Minimum rest between a trial and the first probe. Wall milliseconds. */
  readonly coolDownMs: number;
  /** How long to wait for the receiver to recover. Wall milliseconds. */
  readonly patienceMs: number;
  readonly signal?: AbortSignal;
}

/** Number of consecutive answers that must be as fast as before the first trial. */
const CALM_ANSWERS = 3;

/** An answer is calm if it takes at most twice as long as before the first trial, plus this. Wall milliseconds. */
const SLACK_MS = 20;

const PAUSE_MS = 100;
const TIMEOUT_MS = 5_000;

/**
 * The body of a probe: an event of an unknown type, which receivers must tolerate and mostly ignore. Only the time to
 * the answer matters, not its status.
 */
const probe = encodeForm([
  ["event", "probe"],
  ["relayer", "0"],
]);

/**
 * Waits between trials until the receiver is as fast as before the first trial, so that a trial does not affect the
 * next.
 */
export class Recovery {
  readonly #options: RecoveryOptions;
  #calmMs = 0;

  constructor(options: RecoveryOptions) {
    this.#options = options;
  }

  /**
   * Measures the receiver's answer times without load.
   *
   * @param waitMs - how long to wait for the receiver to start
   * @throws LabError `no-receiver`, `host-not-allowed`
   */
  async measureCalm(waitMs: number): Promise<void> {
    const { url, allowHosts, signal } = this.#options;
    if (!allowedHosts(allowHosts)(url)) {
      throw new LabError(
        "host-not-allowed",
        `${redactedUrl(url)} is not this machine: load on it must be allowed by name`,
        {
          hint: "if it is yours, add --allow-host NAME",
        },
      );
    }
    const endsAt = performance.now() + waitMs;
    const spans: number[] = [];
    while (spans.length < CALM_ANSWERS && signal?.aborted !== true) {
      const span = await this.#probeReceiver();
      if (typeof span === "number") spans.push(span);
      else if (performance.now() >= endsAt) {
        throw new LabError("no-receiver", `no answer from ${redactedUrl(url)} (${span})`, {
          hint: "start the receiver first, or wait for it with --wait 30s",
        });
      } else await sleep(PAUSE_MS);
    }
    // If stopped before the receiver answered, no trial begins, and the value is not used.
    this.#calmMs = Math.max(...spans);
  }

  /**
   * Waits until the receiver has recovered.
   *
   * @returns false: it answers, but more slowly than before; true also if the search was stopped meanwhile
   * @throws LabError `no-receiver` when it does not answer any more
   */
  async waitUntilCalm(): Promise<boolean> {
    const { signal, url, coolDownMs, patienceMs } = this.#options;
    await sleep(coolDownMs, undefined, { signal }).catch(() => undefined);
    const endsAt = performance.now() + patienceMs;
    let calm = 0;
    let last: number | string = 0;
    while (calm < CALM_ANSWERS && performance.now() < endsAt && signal?.aborted !== true) {
      last = await this.#probeReceiver();
      const isCalm = typeof last === "number" && last <= 2 * this.#calmMs + SLACK_MS;
      calm = isCalm ? calm + 1 : 0;
      if (!isCalm) await sleep(PAUSE_MS);
    }
    if (typeof last === "string" && signal?.aborted !== true) {
      throw new LabError(
        "no-receiver",
        `the receiver at ${redactedUrl(url)} did not come back after a trial (${last})`,
        {
          hint: "start the receiver again; --to keeps the search below the value that stopped it",
        },
      );
    }
    return calm >= CALM_ANSWERS || signal?.aborted === true;
  }

  /** Posts a probe. @returns milliseconds to the answer, or the error */
  async #probeReceiver(): Promise<number | string> {
    const { url, headers, ca } = this.#options;
    const { status, durationMs, error } = await postOnce({
      url,
      body: probe,
      headers,
      timeoutMs: TIMEOUT_MS,
      ...(ca !== undefined && { ca }),
    });
    return status === null ? (error ?? "no-answer") : durationMs;
  }
}
