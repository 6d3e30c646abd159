import type { SimTime, Timer } from "../sim/index.js";
import { type Exchange, unsent } from "../http/index.js";
import type { AttemptOutcome } from "../measure/index.js";
import type { Attempt, Posting } from "./types.js";

const unanswered: Exchange = Object.freeze(unsent("unanswered"));

/**
 * An attempt that was made. With what came back, and with its outcome, it is the whole `Attempt`. Small until then: a
 * thousand are out at any time, and the collector moves each of them.
 */
export class Flight implements Attempt {
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
  place: number;
  /** Paced: `dueAtMs` on the wall's clock. */
  dueWallMs: number | undefined;
  timer: Timer | undefined;
  #exchange = unanswered;

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
    this.place = options.place;
  }

  /** Takes in what came back. */
  take(exchange: Exchange): void {
    this.#exchange = exchange;
  }

  get isAnswered(): boolean {
    return this.#exchange !== unanswered;
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
    return this.#exchange.postedWallMs;
  }

  get sentWallMs(): number | null {
    return this.#exchange.sentWallMs;
  }

  get durationMs(): number {
    return this.#exchange.durationMs;
  }

  get status(): number | null {
    return this.#exchange.status;
  }

  get error(): string | null {
    return this.#exchange.error;
  }

  get headers(): string | null {
    return this.#exchange.headers;
  }

  get body(): Uint8Array | null {
    return this.#exchange.body;
  }

  get bodyBytes(): number {
    return this.#exchange.bodyBytes;
  }

  get redirects(): readonly string[] {
    return this.#exchange.redirects;
  }
}
