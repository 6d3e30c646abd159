import { type HttpResult, HttpClient, type HttpClientOptions } from "../http/index.js";
import type { Kernel, SimTime } from "../sim/index.js";
import type { ServicePreset, Tally } from "../wire/index.js";
import { Delivery } from "./delivery.js";
import type { Attempt, Posting } from "./types.js";

/** One attempt to deliver an event of a resthook to a subscriber, as the gateway orders it. */
export interface SubscriberPosting {
  /** Ids of the event and of the subscriber. */
  readonly event: number;
  readonly subscriber: number;
  /** 1 for the first. */
  readonly try: number;
  readonly atMs: SimTime;
  readonly url: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Options of `Subscribers`; those of `HttpClientOptions` apply to its own client. */
export interface SubscribersOptions extends Pick<HttpClientOptions, "connections" | "ca" | "isAllowed" | "wall"> {
  readonly kernel: Kernel;
  /** Only its `timeoutMs` and `redirects` have an effect: the gateway schedules retries. */
  readonly preset: ServicePreset;
  /** As in `DeliveryOptions`: lookahead of lockstep; undefined: an answer takes effect when it comes. */
  readonly answersAfterMs: number | undefined;
  /** As in `Delivery`. */
  readonly dueWallMs?: (atMs: SimTime) => number;
  /** As in `Delivery`. */
  readonly catchUp?: () => void;
  /** Called when the result of an attempt takes effect. The gateway decides whether to retry. */
  readonly attempted: (posting: SubscriberPosting, result: HttpResult) => void;
  /** As in `DeliveryPorts`. */
  readonly failed: (error: unknown) => void;
}

/**
 * Delivers events of resthooks to their subscribers: `data` as JSON, one attempt per call. An adapter over a second
 * `Delivery`, whose channel is the subscriber and whose number is the event. The loop must respect `horizonMs`,
 * `inFlight` and `progress` of both.
 *
 * Ledger: resthook events belong to no channel, so no account counts them. The recording has the attempts.
 */
export class Subscribers {
  readonly #delivery: Delivery;
  readonly #sender: HttpClient;
  readonly #postings = new Map<Posting, SubscriberPosting>();
  readonly #attempted: SubscribersOptions["attempted"];
  #isClosed = false;

  constructor(options: SubscribersOptions) {
    const { kernel, preset, answersAfterMs, dueWallMs, catchUp, wall = () => performance.now() } = options;
    this.#attempted = options.attempted;
    this.#sender = new HttpClient({
      headers: { "content-type": "application/json" },
      redirects: preset.redirects,
      wall,
      ...(options.connections !== undefined && { connections: options.connections }),
      ...(options.ca !== undefined && { ca: options.ca }),
      ...(options.isAllowed !== undefined && { isAllowed: options.isAllowed }),
    });
    this.#delivery = new Delivery({
      kernel,
      sender: this.#sender,
      preset: { ...preset, attempts: 1 },
      answersAfterMs,
      wall,
      ...(dueWallMs !== undefined && { dueWallMs }),
      ...(catchUp !== undefined && { catchUp }),
      tally: uncounted,
      marks: false,
      ports: { attempted: (attempt) => this.#reportAttempt(attempt), failed: options.failed },
    });
  }

  /** Makes an attempt now. */
  postEvent(subscriberPosting: SubscriberPosting): void {
    const { event, subscriber, atMs, url, data } = subscriberPosting;
    const posting: Posting = {
      channel: subscriber,
      number: event,
      type: "resthook",
      atMs,
      url,
      body: JSON.stringify(data),
    };
    this.#postings.set(posting, subscriberPosting);
    this.#delivery.postEvent(posting);
  }

  /** As in `Delivery`. */
  get horizonMs(): SimTime {
    return this.#delivery.horizonMs;
  }

  /** Attempts without an answer. */
  get inFlight(): number {
    return this.#delivery.inFlight;
  }

  /** As in `Delivery`. */
  get silentSinceWallMs(): number | undefined {
    return this.#delivery.silentSinceWallMs;
  }

  /** As in `Delivery`. */
  progress(): Promise<void> {
    return this.#delivery.progress();
  }

  /** As in `Delivery`: withdraws unsent attempts. The gateway keeps them as pending. */
  stopSending(): void {
    this.#delivery.stopSending();
  }

  /** As in `Delivery`: awaits all answers and applies them. */
  drain(): Promise<void> {
    return this.#delivery.drain();
  }

  /** Aborts attempts in flight without effect; the gateway keeps them as pending. */
  close(): void {
    this.#isClosed = true;
    this.#sender.close();
  }

  #reportAttempt(attempt: Attempt): void {
    const posting = this.#postings.get(attempt.posting);
    this.#postings.delete(attempt.posting);
    if (posting !== undefined && !this.#isClosed) this.#attempted(posting, attempt);
  }
}

function nothing(): void {
  // Attempts of resthooks are in no account.
}

const uncounted: Tally = { in: nothing, copy: nothing, delivered: nothing, failed: nothing, lost: nothing };
