import assert from "node:assert/strict";
import {
  CLOSED,
  Fifo,
  HttpClient,
  type HttpClientOptions,
  type HttpResult,
  sendableHeaders,
  unsentResult,
  WITHDRAWN,
} from "../http/index.js";
import type { Kernel, SimTime, Timer } from "../sim/index.js";
import type { FlushedRecording } from "./delivery-options.js";

/** One HTTP request of the service that is not an event for a receiver: a flow's call, a resthook's event. */
export interface ServiceRequest {
  /** Names it among the unanswered ones, such as `flow-call/17`: a re-executed run finds the recorded answer by it. */
  readonly name: string;
  readonly atMs: SimTime;
  readonly method: string;
  readonly url: string;
  /**
   * The request's own headers; a request without a `content-type` has none. Headers that frame a request are left out,
   * and values are sent as UTF-8.
   */
  readonly headers: Readonly<Record<string, string>>;
  /** GET and HEAD do not send it. */
  readonly body: string;
  /** Wall milliseconds > 0 for the whole exchange. */
  readonly timeoutMs: number;
  /** Redirects that are followed; default: as the preset says. */
  readonly maxRedirects?: number;
}

/**
 * How a request ended. `error` is a code of `HttpClient`; `host-not-allowed`, `redirect-not-allowed` and `bad-request` (a
 * method or header that cannot be sent) are followed by a colon and a sentence.
 */
export type ServiceAnswer = Pick<
  HttpResult,
  "sentWallMs" | "durationMs" | "status" | "error" | "headers" | "body" | "redirects"
>;

/** Options of `ServiceRequests`; those of `HttpClientOptions` apply to its own client. */
export interface ServiceRequestsOptions extends Pick<
  HttpClientOptions,
  "connections" | "ca" | "redirects" | "wall" | "originMs"
> {
  readonly kernel: Kernel;
  /** As in `DeliveryOptions`: lookahead of lockstep; undefined: an answer takes effect when it comes. */
  readonly answersAfterMs: number | undefined;
  /** As in `DeliveryOptions`. */
  readonly dueWallMs?: ((atMs: SimTime) => number) | undefined;
  /** As in `DeliveryOptions`. */
  readonly catchUp?: (() => void) | undefined;
  /**
   * Requests wait for `dispatchRequests`, which sends them when the recording is durable. Absent: each is sent when it
   * is made.
   */
  readonly recording?: FlushedRecording;
  /** Whether a request may be sent to a URL, redirects included; default: to all. */
  readonly isAllowed?: (url: string) => boolean;
  /** Called once for each host to which a request is not allowed. */
  readonly refused?: (host: string) => void;
  /** As in `DeliveryPorts`: a listener, `catchUp` or the recording threw. The caller must end the run. */
  readonly failed: (error: unknown) => void;
}

/** A request from the moment it is made until its answer takes effect. */
interface PendingRequest {
  readonly request: ServiceRequest;
  readonly onAnswer: (answer: ServiceAnswer) => void;
  readonly effectAtMs: SimTime;
  readonly dueWallMs: number | undefined;
  /** Error of a request that is not sent, because its host is not allowed. */
  readonly refusal: string | undefined;
  timer: Timer | undefined;
  answer: ServiceAnswer | undefined;
}

/** Rank of answers among the timers of one instant: after the world's, before the receiver's (`effectOrder`). */
const EFFECT_ORDER = 0xffff_ffff;

/**
 * Sends the HTTP requests of the service other than events for receivers, one attempt each: what a failure means is up to
 * the owner of the request. The loop must respect `horizonMs`, `inFlight` and `progress`, as those of `Delivery`.
 *
 * Lockstep: an answer takes effect at the request's virtual time + lookahead, in the order in which the requests were
 * made.
 *
 * Ledger: these requests belong to no channel, so no account counts them. The recording has them.
 */
export class ServiceRequests {
  readonly #options: ServiceRequestsOptions;
  readonly #wall: () => number;
  readonly #client: HttpClient;
  /** By name, in the order in which they were made. */
  readonly #pending = new Map<string, PendingRequest>();
  /** Lockstep: in the order of their effect. Answered requests stay until they are at the head. */
  readonly #unanswered = new Fifo<PendingRequest>();
  /** Not yet passed to the client: they wait for `dispatchRequests`. */
  readonly #unsent = new Set<PendingRequest>();
  /** Dispatched; they wait until the recording is durable. */
  readonly #flushing = new Set<PendingRequest>();
  readonly #refusedHosts = new Set<string>();
  #inFlight = 0;
  #isHalted = false;
  #isClosed = false;
  #silentSinceWallMs: number | undefined;
  /** Resolves `#progress`. */
  #wakeProgress: (() => void) | undefined;
  #progress: Promise<void> | undefined;

  constructor(options: ServiceRequestsOptions) {
    const { connections, ca, redirects, originMs, isAllowed, wall = () => performance.now() } = options;
    this.#options = options;
    this.#wall = wall;
    this.#client = new HttpClient({
      contentType: null,
      wall,
      connections,
      ca,
      redirects,
      originMs,
      isAllowed,
    });
  }

  /**
   * Makes a request now.
   *
   * @param onAnswer - called once when the answer takes effect, never before this has returned; never, when the run
   *   ends before
   */
  postRequest(request: ServiceRequest, onAnswer: (answer: ServiceAnswer) => void): void {
    const { kernel, answersAfterMs, dueWallMs, recording } = this.#options;
    assert(!this.#pending.has(request.name), `request '${request.name}' is made twice`);
    const pending: PendingRequest = {
      request,
      onAnswer,
      effectAtMs: kernel.now + (answersAfterMs ?? 0),
      dueWallMs: dueWallMs?.(kernel.now),
      refusal: this.#refuseHost(request.url),
      timer: undefined,
      answer: undefined,
    };
    this.#pending.set(request.name, pending);
    this.#inFlight++;
    this.#silentSinceWallMs ??= this.#wall();
    if (answersAfterMs !== undefined) {
      this.#unanswered.push(pending);
      pending.timer = kernel.at(pending.effectAtMs, this.#applyAnswer, pending, EFFECT_ORDER);
    }
    if (recording === undefined) this.#sendRequest(pending);
    else this.#unsent.add(pending);
  }

  /** As in `Delivery`. */
  get horizonMs(): SimTime {
    return this.#unanswered.first?.effectAtMs ?? Infinity;
  }

  /** Requests without an answer, including those that are not sent yet. */
  get inFlight(): number {
    return this.#inFlight;
  }

  /** Whether the answer of a request has not taken effect yet. */
  get isBusy(): boolean {
    return this.#pending.size > 0;
  }

  /** As in `Delivery`. */
  get silentSinceWallMs(): number | undefined {
    return this.#silentSinceWallMs;
  }

  /** Resolves at the next answer; at once when no request is in flight. */
  async progress(): Promise<void> {
    if (this.#inFlight === 0) return;
    this.#progress ??= new Promise((resolve) => {
      this.#wakeProgress = resolve;
    });
    await this.#progress;
  }

  /** Resolves pending `progress` calls, so that a loop checks whether the run is over. */
  wakeProgress(): void {
    const wake = this.#wakeProgress;
    this.#progress = undefined;
    this.#wakeProgress = undefined;
    wake?.();
  }

  /** Sends the requests made since the last call, as soon as everything recorded so far is durable (write-ahead). */
  dispatchRequests(): void {
    const { recording, failed } = this.#options;
    if (this.#unsent.size === 0 || recording === undefined) return;
    const requests = [...this.#unsent];
    this.#unsent.clear();
    for (const pending of requests) this.#flushing.add(pending);
    try {
      recording.whenFlushed(() => {
        for (const pending of requests) if (this.#flushing.delete(pending)) this.#sendRequest(pending);
      });
    } catch (error) {
      failed(error);
      this.#endFlushing(WITHDRAWN);
    }
  }

  /**
   * Re-execution: applies the recorded answer instead of sending the request. Call it before `dispatchRequests`. In
   * lockstep it takes effect at its virtual time, otherwise now.
   *
   * @returns false when no such request waits: the recording does not match the run
   */
  applyRecordedAnswer(name: string, answer: ServiceAnswer): boolean {
    const pending = this.#pending.get(name);
    if (pending === undefined || !this.#unsent.delete(pending)) return false;
    this.#setAnswer(pending, answer);
    if (this.#options.answersAfterMs === undefined) this.#applyAnswer(pending);
    return true;
  }

  /** Withdraws requests that are not due or wait for a connection; they have no effect. The owner keeps them. */
  stopSending(): void {
    this.#isHalted = true;
    this.dispatchRequests();
    this.#client.withdrawUnsent();
  }

  /**
   * Awaits all answers and applies them at the kernel's now, in the order of the requests, and so the requests that
   * follow from them. Call it after the last kernel step.
   */
  async drain(): Promise<void> {
    while (this.#pending.size > 0) {
      while (this.#inFlight > 0) {
        this.dispatchRequests();
        await this.progress();
      }
      // A list: an effect may make another request, which has no answer yet.
      const answered = Array.from(this.#pending.values());
      for (const pending of answered) {
        if (pending.timer !== undefined) this.#options.kernel.cancel(pending.timer);
        this.#applyAnswer(pending);
      }
    }
  }

  /** Aborts requests in flight without effect. */
  close(): void {
    this.#isClosed = true;
    this.#client.close();
    for (const pending of this.#unsent) this.#flushing.add(pending);
    this.#unsent.clear();
    this.#endFlushing(CLOSED);
  }

  #endFlushing(error: string): void {
    for (const pending of this.#flushing) {
      this.#flushing.delete(pending);
      this.#onResult(pending, unsentResult(error));
    }
  }

  #sendRequest(pending: PendingRequest): void {
    const { url, method, body, headers, timeoutMs, maxRedirects } = pending.request;
    if (this.#isHalted) return this.#answerLater(pending, WITHDRAWN);
    if (pending.refusal !== undefined) return this.#answerLater(pending, pending.refusal);
    try {
      this.#client.post(
        {
          url,
          method,
          body,
          headers: sendableHeaders(headers),
          timeoutMs,
          notBeforeMs: pending.dueWallMs,
          maxRedirects,
        },
        (result) => this.#onResult(pending, withHost(result)),
      );
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      this.#answerLater(pending, `bad-request: ${error.message}`);
    }
  }

  /** The error of a request to a host that is not allowed. */
  #refuseHost(url: string): string | undefined {
    const { isAllowed } = this.#options;
    if (isAllowed === undefined || isAllowed(url) || !URL.canParse(url)) return undefined;
    const { hostname, protocol } = new URL(url);
    if (hostname === "" || !/^https?:$/.test(protocol)) return undefined;
    this.#reportRefused(hostname);
    return `host-not-allowed: ${refusalOf(hostname)}`;
  }

  #reportRefused(host: string): void {
    if (this.#refusedHosts.has(host)) return;
    this.#refusedHosts.add(host);
    this.#options.refused?.(host);
  }

  #answerLater(pending: PendingRequest, error: string): void {
    process.nextTick(() => this.#onResult(pending, unsentResult(error)));
  }

  #onResult(pending: PendingRequest, result: HttpResult): void {
    const { answersAfterMs, catchUp, failed } = this.#options;
    this.#setAnswer(pending, result);
    if (answersAfterMs === undefined) {
      try {
        catchUp?.();
        this.#applyAnswer(pending);
      } catch (error) {
        failed(error);
      }
    }
    this.wakeProgress();
  }

  #setAnswer(pending: PendingRequest, answer: ServiceAnswer): void {
    pending.answer = answer;
    this.#inFlight--;
    this.#silentSinceWallMs = this.#inFlight > 0 ? this.#wall() : undefined;
    while (this.#unanswered.first?.answer !== undefined) this.#unanswered.shift();
  }

  readonly #applyAnswer = (pending: PendingRequest): void => {
    const { answer, request, effectAtMs } = pending;
    assert(answer !== undefined, `the kernel was stepped past ${effectAtMs} ms, where '${request.name}' has no answer`);
    this.#pending.delete(request.name);
    // The run ended before the answer: the owner continues in the next one.
    if (this.#isClosed || answer.error === WITHDRAWN || answer.error === CLOSED) return;
    // From the error's text, which recorded answers have, too.
    const refusedHost = /^redirect-not-allowed: (\S+) /.exec(answer.error ?? "")?.[1];
    if (refusedHost !== undefined) this.#reportRefused(refusedHost);
    try {
      pending.onAnswer(answer);
    } catch (error) {
      this.#options.failed(error);
    }
  };
}

/** Why a request does not leave for a host. */
function refusalOf(host: string): string {
  return `${host} is not this machine, and --allow-host does not name it`;
}

/** The result, whose error names the host of a redirect that was not followed. */
function withHost(result: HttpResult): HttpResult {
  const { error, refusedUrl } = result;
  if (refusedUrl === undefined) return result;
  return { ...result, error: `${error}: ${refusalOf(new URL(refusedUrl).hostname)}` };
}
