import { LabError } from "../base/index.js";
import { allowedHosts } from "../http/index.js";
import { redactedUrl } from "../wire/index.js";
import type { ProbePort } from "./probe-port.js";

/** What a trial was for the receiver: a load that it held, one too small to tell, or an overload. */
export type TrialKind = "held" | "small" | "overload";

/** How the receiver is probed. */
export interface RecoveryOptions {
  readonly url: string;
  readonly probes: ProbePort;
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

/** The probes of a group: enough to show the pace of a receiver, and too few to overload it. */
const GROUP = 10;

/** A receiver is at its pace if a group takes at most this much longer than before the overload, plus a few milliseconds. */
const PACE_RATIO = 1.35;
const PACE_SLACK_MS = 3;

/** Limit of the wait for the pace. After it the slower pace replaces the old one, so the search waits only once. */
const PACE_PATIENCE_MS = 10_000;

/**
 * Waits between trials until the receiver is as fast as before, so that a trial does not affect the next. Single probes
 * show whether its queue is empty. After an overload, groups of probes show whether it still works more slowly.
 */
export class Recovery {
  readonly #options: RecoveryOptions;
  #calmMs = 0;
  /** Time of a group of probes; undefined: not measured yet. */
  #paceMs: number | undefined;
  #wasOverloaded = false;

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
    const { url, probes, allowHosts } = this.#options;
    if (!allowedHosts(allowHosts)(url)) {
      throw new LabError(
        "host-not-allowed",
        `${redactedUrl(url)} is not this machine: load on it must be allowed by name`,
        {
          hint: "if it is yours, add --allow-host NAME",
        },
      );
    }
    const endsAt = probes.nowMs() + waitMs;
    const spans: number[] = [];
    while (spans.length < CALM_ANSWERS && !this.#isStopped) {
      const [span] = await probes.sendTogether(1);
      if (typeof span === "number") spans.push(span);
      else if (probes.nowMs() >= endsAt) {
        throw new LabError("no-receiver", `no answer from ${redactedUrl(url)} (${span})`, {
          hint: "start the receiver first, or wait for it with --wait 30s",
        });
      } else await probes.sleep(PAUSE_MS);
    }
    // If stopped before the receiver answered, no trial begins, and the value is not used.
    this.#calmMs = Math.max(...spans);
  }

  /**
   * Waits until the receiver has recovered from a trial.
   *
   * @returns false: it answers, but more slowly than before; true also if the search was stopped meanwhile
   * @throws LabError `no-receiver` when it does not answer any more
   */
  async waitUntilCalm(after: TrialKind): Promise<boolean> {
    const { probes, url, coolDownMs, patienceMs } = this.#options;
    this.#wasOverloaded ||= after === "overload";
    await probes.sleep(coolDownMs);
    const endsAt = probes.nowMs() + patienceMs;
    const isPaceNeeded = after === "held" && !this.#wasOverloaded && !this.#isStopped;
    let calm = isPaceNeeded && (await this.#measurePace()) ? CALM_ANSWERS : 0;
    let last: number | string | undefined = 0;
    while (calm < CALM_ANSWERS && probes.nowMs() < endsAt && !this.#isStopped) {
      [last] = await probes.sendTogether(1);
      const isCalm = typeof last === "number" && this.#isCalm(last);
      calm = isCalm ? calm + 1 : 0;
      if (!isCalm) await probes.sleep(PAUSE_MS);
    }
    if (typeof last === "string" && !this.#isStopped) {
      throw new LabError(
        "no-receiver",
        `the receiver at ${redactedUrl(url)} did not come back after a trial (${last})`,
        {
          hint: "start the receiver again; --to keeps the search below the value that stopped it",
        },
      );
    }
    if (calm < CALM_ANSWERS) return this.#isStopped;
    return after !== "overload" || this.#waitForPace(Math.min(endsAt, probes.nowMs() + PACE_PATIENCE_MS));
  }

  #isCalm(answerMs: number): boolean {
    return answerMs <= 2 * this.#calmMs + SLACK_MS;
  }

  /** Measures the pace; the best one counts. @returns whether each answer was calm, so single probes are not needed */
  async #measurePace(): Promise<boolean> {
    const groupMs = await this.#groupMs();
    if (groupMs < Infinity) this.#paceMs = Math.min(groupMs, this.#paceMs ?? Infinity);
    return this.#isCalm(groupMs);
  }

  /** Waits until a group of probes is answered as fast as before the first overload. */
  async #waitForPace(endsAt: number): Promise<boolean> {
    const { probes } = this.#options;
    if (this.#paceMs === undefined) return true;
    let leastMs = Infinity;
    while (!this.#isStopped) {
      leastMs = Math.min(leastMs, await this.#groupMs());
      if (leastMs <= PACE_RATIO * this.#paceMs + PACE_SLACK_MS) return true;
      if (probes.nowMs() >= endsAt) {
        if (leastMs < Infinity) this.#paceMs = leastMs;
        return false;
      }
      await probes.sleep(PAUSE_MS);
    }
    return true;
  }

  /** Time until a group of probes is answered, milliseconds; Infinity: one was not. */
  async #groupMs(): Promise<number> {
    const spans = await this.#options.probes.sendTogether(GROUP);
    return Math.max(...spans.map((span) => (typeof span === "number" ? span : Infinity)));
  }

  get #isStopped(): boolean {
    return this.#options.signal?.aborted === true;
  }
}
