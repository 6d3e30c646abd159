import { type HttpResult, HttpClient, type HttpClientOptions } from "../http/index.js";
import type { Kernel, SimTime } from "../sim/index.js";
import type { ServicePreset, Tally } from "../wire/index.js";
import { Delivery } from "./delivery.js";
import type { Attempt, Posting } from "./types.js";

/** One attempt to bring an event of a resthook to a subscriber, as the gateway asks for it. */
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

export interface SubscribersOptions extends Pick<HttpClientOptions, "connections" | "ca" | "isAllowed" | "wall"> {
  readonly kernel: Kernel;
  /** Its timeout and whether redirects are followed. */
  readonly preset: ServicePreset;
  /** As of `Delivery`: lockstep's lookahead; undefined: an answer takes effect when it comes. */
  readonly answersAfterMs: number | undefined;
  /** As of `Delivery`. */
  readonly dueWallMs?: (atMs: SimTime) => number;
  /** As of `Delivery`. */
  readonly catchUp?: () => void;
  /** Called when what came of an attempt takes effect. Whether it is tried again is decided there. */
  readonly attempted: (posting: SubscriberPosting, exchange: HttpResult) => void;
  /** As of `DeliveryPorts`. */
  readonly failed: (error: unknown) => void;
}

/**
 * Brings events of resthooks to their subscribers: `data` as JSON, one attempt each time it is asked. It keeps time as
 * `Delivery` does, on which it stands: whoever drives the kernel minds `horizonMs`, `inFlight` and `progress` of both.
 *
 * Ledger: nothing of this is an event of a channel, so nothing is counted there; the recording has the attempts.
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

  /** As of `Delivery`. */
  get horizonMs(): SimTime {
    return this.#delivery.horizonMs;
  }

  /** Attempts whose answer is awaited. */
  get inFlight(): number {
    return this.#delivery.inFlight;
  }

  /** As of `Delivery`. */
  get silentSinceWallMs(): number | undefined {
    return this.#delivery.silentSinceWallMs;
  }

  /** As of `Delivery`. */
  progress(): Promise<void> {
    return this.#delivery.progress();
  }

  /** As of `Delivery`: takes back what was not sent yet. The gateway still has it as pending. */
  stopSending(): void {
    this.#delivery.stopSending();
  }

  /** As of `Delivery`: waits for all answers and applies them. */
  drain(): Promise<void> {
    return this.#delivery.drain();
  }

  /** Breaks off what is under way; it has no effect any more, and the gateway still has it as pending. */
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
