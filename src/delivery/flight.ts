import type { SimTime, Timer } from "../sim/index.js";
import type { Attempt, AttemptOutcome, Exchange, Posting } from "./types.js";

const NO_REDIRECTS: readonly string[] = Object.freeze([]);

/**
 * An attempt that was made. What it came to is filled in with its answer and its effect; from then on it is the whole
 * `Attempt`, in the one object that it had from the beginning: there are some ten thousand a second.
 */
export class Flight implements Attempt {
  readonly posting: Posting;
  readonly try: number;
  readonly dueAtMs: SimTime;
  /** Lockstep: planned; otherwise known when the answer comes. */
  effectAtMs: SimTime;
  isRepeat: boolean;
  postedWallMs: number | null = null;
  sentWallMs: number | null = null;
  durationMs = 0;
  status: number | null = null;
  error: string | null = null;
  headers: string | null = null;
  body: Uint8Array | null = null;
  bodyBytes = 0;
  redirects: readonly string[] = NO_REDIRECTS;
  outcome: AttemptOutcome = "connection";
  latencyMs = 0;
  latenessMs: number | null = null;
  /** Where it stands among those that are out. */
  place: number;
  /** Among the effects of one instant. */
  readonly order: number;
  /** Paced: `dueAtMs` on the wall's clock. */
  dueWallMs: number | undefined;
  timer: Timer | undefined;
  isAnswered = false;
  answeredWallMs = 0;
  /** An earlier run has measured it. */
  isPast = false;

  constructor(options: {
    readonly posting: Posting;
    readonly try: number;
    readonly dueAtMs: SimTime;
    readonly dueWallMs: number | undefined;
    readonly effectAtMs: SimTime;
    readonly isRepeat: boolean;
    readonly place: number;
    readonly order: number;
  }) {
    this.posting = options.posting;
    this.try = options.try;
    this.dueAtMs = options.dueAtMs;
    this.dueWallMs = options.dueWallMs;
    this.effectAtMs = options.effectAtMs;
    this.isRepeat = options.isRepeat;
    this.place = options.place;
    this.order = options.order;
  }

  get channel(): number {
    return this.posting.channel;
  }

  get number(): number {
    return this.posting.number;
  }

  /** Takes in what came back. */
  take(exchange: Exchange): void {
    this.postedWallMs = exchange.postedWallMs;
    this.sentWallMs = exchange.sentWallMs;
    this.durationMs = exchange.durationMs;
    this.status = exchange.status;
    this.error = exchange.error;
    this.headers = exchange.headers;
    this.body = exchange.body;
    this.bodyBytes = exchange.bodyBytes;
    this.redirects = exchange.redirects;
    this.isAnswered = true;
  }
}
