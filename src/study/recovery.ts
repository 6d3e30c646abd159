import { setTimeout as sleep } from "node:timers/promises";
import { LabError } from "../base/index.js";
import { allowedHosts, postOnce } from "../http/index.js";
import { encodeForm, redactedUrl } from "../wire/index.js";

/** Where and how a receiver is asked how it is. */
export interface RecoveryOptions {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly ca?: string;
  readonly allowHosts: readonly string[];
  /** Wall milliseconds between a trial and the first question, at least. */
  readonly coolDownMs: number;
  /** How long the receiver is given to come back. Wall milliseconds. */
  readonly patienceMs: number;
  readonly signal?: AbortSignal;
}

/** So many answers in a row must be as quick as in calm. */
const CALM_ANSWERS = 3;

/** An answer is as quick as in calm when it takes at most twice as long, and so much more. Wall milliseconds. */
const SLACK_MS = 20;

const PAUSE_MS = 100;
const TIMEOUT_MS = 5_000;

/**
 * An event of a type that does not exist: receivers have to bear those, and mostly do nothing about them. What it is
 * answered with does not matter, only how quickly.
 */
const probe = encodeForm([
  ["event", "probe"],
  ["relayer", "0"],
]);

/** Waits between trials until a receiver is again as quick as it was in calm, so that no trial begins in the ruins of another. */
export class Recovery {
  readonly #options: RecoveryOptions;
  #calmMs = 0;

  constructor(options: RecoveryOptions) {
    this.#options = options;
  }

  /**
   * Finds out how quick the receiver is in calm.
   *
   * @param waitMs - how long it may take to come up
   * @throws LabError `no-receiver`, `host-not-allowed`
   */
  async begin(waitMs: number): Promise<void> {
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
      const span = await this.#ask();
      if (typeof span === "number") spans.push(span);
      else if (performance.now() >= endsAt) {
        throw new LabError("no-receiver", `nobody answers at ${redactedUrl(url)} (${span})`, {
          hint: "start the receiver first, or wait for it with --wait 30s",
        });
      } else await sleep(PAUSE_MS);
    }
    // Stopped before the receiver was there: no trial begins, so nothing is compared with it.
    this.#calmMs = Math.max(...spans);
  }

  /**
   * Waits until the receiver is as it was.
   *
   * @returns false when it answers, but not as quickly as in calm; true, too, when the search was stopped meanwhile
   * @throws LabError `no-receiver` when it does not answer any more
   */
  async wait(): Promise<boolean> {
    const { signal, url, coolDownMs, patienceMs } = this.#options;
    await sleep(coolDownMs, undefined, { signal }).catch(() => undefined);
    const endsAt = performance.now() + patienceMs;
    let calm = 0;
    let last: number | string = 0;
    while (calm < CALM_ANSWERS && performance.now() < endsAt && signal?.aborted !== true) {
      last = await this.#ask();
      const isCalm = typeof last === "number" && last <= 2 * this.#calmMs + SLACK_MS;
      calm = isCalm ? calm + 1 : 0;
      if (!isCalm) await sleep(PAUSE_MS);
    }
    if (typeof last === "string" && signal?.aborted !== true) {
      throw new LabError(
        "no-receiver",
        `the receiver at ${redactedUrl(url)} did not come back after a trial (${last})`,
        {
          hint: "it has to be started again; --to keeps the search below what it died of",
        },
      );
    }
    return calm >= CALM_ANSWERS || signal?.aborted === true;
  }

  /** Milliseconds to the answer, or why there was none. */
  async #ask(): Promise<number | string> {
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
