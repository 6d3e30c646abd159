import type { SourceElement } from "./source.js";
import type { MetFailure, TrialOptions, TrialRequest, TrialResult, TrialSettings } from "./trial.js";
import { playTrial } from "./trial.js";
import type { ExactRequest } from "../../scenario/index.js";
import type { FailureCondition } from "../../expect/index.js";
import type { PlayedAnswer } from "../../exact/index.js";

/** Longest time that a trial waits for an answer, as a multiple of the slowest one so far, and its lower bound in ms. */
const PATIENCE = 20;
const PATIENCE_MIN_MS = 1000;

/** Plays trials, counts them, learns how long answers take, and keeps the other failures that they meet. */
export class PlayCounter {
  readonly #settings: TrialSettings;
  readonly #timeoutMs: number;
  readonly #others = new Map<string, MetFailure & { readonly requests: readonly ExactRequest[] }>();
  #plays = 0;
  #wallMs = 0;
  #requests = 0;
  #slowestMs = 0;

  constructor(settings: TrialSettings, timeoutMs: number) {
    this.#settings = settings;
    this.#timeoutMs = timeoutMs;
  }

  get plays(): number {
    return this.#plays;
  }

  /** The wall time that a play of n requests takes, from those so far: milliseconds. */
  estimateMs(requests: number): number {
    if (this.#plays === 0) return 0;
    const each = this.#wallMs / Math.max(1, this.#requests);
    return Math.min(1, requests / Math.max(1, this.#requests / this.#plays)) * 2 + each * requests;
  }

  /** @param isPatient - answers have the whole time; else as long as the slowest one so far suggests */
  async play(
    requests: readonly TrialRequest[],
    { isPatient = false, ...options }: Partial<TrialOptions> & { readonly isPatient?: boolean } = {},
  ): Promise<TrialResult> {
    this.#plays++;
    const learnt = Math.max(PATIENCE_MIN_MS, PATIENCE * this.#slowestMs);
    const timeoutMs = isPatient ? this.#timeoutMs : Math.min(this.#timeoutMs, learnt);
    const result = await playTrial(requests, this.#settings, { timeoutMs, ...options });
    this.#wallMs += result.wallMs;
    this.#requests += result.played;
    this.#slowestMs = Math.max(this.#slowestMs, result.slowestMs);
    for (const other of result.others) {
      const key = effectOf(other.fingerprint);
      const known = this.#others.get(key);
      if (known !== undefined && other.events >= known.events) continue;
      const upTo = requests.slice(0, other.events).map(({ request }) => request);
      this.#others.set(key, { ...other, requests: upTo });
    }
    return result;
  }

  /** The other failures, the smallest first. @param same - the fingerprint of the failure that is minimised */
  others(same: string): FoundFailure[] {
    return [...this.#others.values()]
      .filter(({ fingerprint }) => effectOf(fingerprint) !== effectOf(same))
      .sort((a, b) => a.events - b.events)
      .map(({ failure, requests, answer, seen, fingerprint }) => ({
        condition: failure,
        requests,
        answer,
        seen,
        fingerprint,
      }));
  }
}

/** A failure that a trial met, with the smallest input so far that showed it. */
export interface FoundFailure {
  readonly condition: FailureCondition;
  /** The requests up to the failing one. */
  readonly requests: readonly ExactRequest[];
  readonly answer: PlayedAnswer | undefined;
  readonly seen?: string | undefined;
  readonly fingerprint: string;
}

/** What a fingerprint says about the answer, without the condition. */
export function effectOf(fingerprint: string): string {
  return fingerprint.slice(fingerprint.indexOf(" | "));
}

/**
 * The requests of a trial. One that went with the request before it does so if any request of the same moment is left before
 * it; else it is sent by itself.
 */
export function trialRequests(elements: readonly SourceElement[], kept: readonly number[]): TrialRequest[] {
  const leaders = new Map<number, number>();
  const leaderOf = (index: number): number => {
    let leader = index;
    while (leader > 0 && elements[leader]?.request.with === "previous") leader--;
    leaders.set(index, leader);
    return leader;
  };
  let before = -1;
  return kept.flatMap((index) => {
    const element = elements[index];
    if (element === undefined) return [];
    const leader = leaderOf(index);
    const isTogether = element.request.with === "previous" && before === leader;
    before = leader;
    const { with: together, ...alone } = element.request;
    return [{ index, request: isTogether || together === undefined ? element.request : alone }];
  });
}
