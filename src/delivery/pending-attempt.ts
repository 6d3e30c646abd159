import type { SimTime, Timer } from "../sim/index.js";
import { type HttpResult, unsentResult } from "../http/index.js";
import type { AttemptOutcome } from "../measure/index.js";
import type { Attempt, Posting } from "./types.js";

const unanswered: HttpResult = Object.freeze(unsentResult("unanswered"));

/**
 * An attempt that was made. With what came back, and with its outcome, it is the whole `Attempt`. Small until then: a
 * thousand are out at any time, and the collector moves each of them.
 */
export class PendingAttempt implements Attempt {
  readonly posting: Posting;
  readonly try: number;
  readonly dueAtMs: SimTime;
  /** Lockstep: planned; otherwise known when the answer comes. */
  effectAtMs: SimTime;
  isRepeat: boolean;
  outcome: AttemptOutcome = "connection";
  latencyMs = 0;
  latenessMs: number | null = null;
  /** Where it stands among those that are out. */
  index: number;
  /** Paced: `dueAtMs` on the wall's clock. */
  dueWallMs: number | undefined;
  timer: Timer | undefined;
  #result = unanswered;

  constructor(options: {
    readonly posting: Posting;
    readonly try: number;
    readonly dueAtMs: SimTime;
    readonly dueWallMs: number | undefined;
    readonly effectAtMs: SimTime;
    readonly isRepeat: boolean;
    readonly place: number;
  }) {
    this.posting = options.posting;
    this.try = options.try;
    this.dueAtMs = options.dueAtMs;
    this.dueWallMs = options.dueWallMs;
    this.effectAtMs = options.effectAtMs;
    this.isRepeat = options.isRepeat;
    this.index = options.place;
  }

  /** Takes in what came back. */
  setResult(exchange: HttpResult): void {
    this.#result = exchange;
  }

  get isAnswered(): boolean {
    return this.#result !== unanswered;
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
