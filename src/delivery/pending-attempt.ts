import type { SimTime, Timer } from "../sim/index.js";
import { type HttpResult, unsentResult } from "../http/index.js";
import type { AttemptOutcome } from "../measure/index.js";
import type { Trouble } from "./trouble/trouble.js";
import type { Attempt, Posting } from "./types.js";

const unanswered: HttpResult = Object.freeze(unsentResult("unanswered"));

/**
 * An attempt from the moment it is made until its outcome takes effect. The result stays one referenced object behind
 * getters: thousands are pending at a time, and small objects are cheap to move for the garbage collector.
 */
export class PendingAttempt implements Attempt {
  readonly posting: Posting;
  readonly try: number;
  /** Number of the attempt by which the preset decides on retries: `try` without the copies before it. */
  readonly round: number;
  readonly dueAtMs: SimTime;
  /** Lockstep: known from the start; otherwise set when the answer comes. */
  effectAtMs: SimTime;
  isRepeat: boolean;
  outcome: AttemptOutcome = "connection";
  latencyMs = 0;
  latenessMs: number | null = null;
  /** Index in the array of `PendingAttempts`, which sets it. */
  index = -1;
  /** Paced: `dueAtMs` by the wall clock. */
  dueWallMs: number | undefined;
  timer: Timer | undefined;
  readonly trouble: Trouble | undefined;
  /** A copy of a request that trouble on the way made: it is the last attempt of its kind. */
  readonly isCopy: boolean;
  /** Lockstep: when it must be answered. */
  answerByMs: SimTime;
  #result = unanswered;

  constructor(options: {
    readonly posting: Posting;
    readonly try: number;
    readonly round: number;
    readonly dueAtMs: SimTime;
    readonly dueWallMs: number | undefined;
    readonly effectAtMs: SimTime;
    readonly answerByMs: SimTime;
    readonly isRepeat: boolean;
    readonly trouble: Trouble | undefined;
    readonly isCopy: boolean;
  }) {
    this.posting = options.posting;
    this.try = options.try;
    this.round = options.round;
    this.dueAtMs = options.dueAtMs;
    this.dueWallMs = options.dueWallMs;
    this.effectAtMs = options.effectAtMs;
    this.answerByMs = options.answerByMs;
    this.isRepeat = options.isRepeat;
    this.trouble = options.trouble;
    this.isCopy = options.isCopy;
  }

  /** Stores what the HTTP client reported. */
  setResult(result: HttpResult): void {
    this.#result = result;
  }

  get isAnswered(): boolean {
    return this.#result !== unanswered;
  }

  /** Whether it has not taken effect yet. */
  get isPending(): boolean {
    return this.index >= 0;
  }

  get channel(): number {
    return this.posting.channel;
  }

  get number(): number {
    return this.posting.number;
  }

  get url(): string {
    return this.posting.url;
  }

  get postedWallMs(): number | null {
    return this.#result.postedWallMs;
  }

  get sentWallMs(): number | null {
    return this.#result.sentWallMs;
  }

  get durationMs(): number {
    return this.#result.durationMs;
  }

  get status(): number | null {
    return this.#result.status;
  }

  get error(): string | null {
    return this.#result.error;
  }

  get headers(): string | null {
    return this.#result.headers;
  }

  get body(): Uint8Array | null {
    return this.#result.body;
  }

  get bodyBytes(): number {
    return this.#result.bodyBytes;
  }

  get redirects(): readonly string[] {
    return this.#result.redirects;
  }
}
