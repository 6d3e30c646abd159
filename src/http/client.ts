import { performance } from "node:perf_hooks";
import { HttpExchange, type CallRequest, type ExchangeContext, type Route } from "./http-exchange.js";
import { ConnectionPool } from "./connection-pool.js";
import { Deadlines } from "./deadlines.js";
import { Fifo } from "./fifo.js";
import { type Due, DueQueue } from "./due-queue.js";
import { checkHeaders, type Headers, headerLines, requestHeadFor } from "./message/request.js";
import type { Hop } from "./redirects.js";
import type { HttpSender, HttpRequest } from "./http-sender.js";
import { parseTarget } from "./url-target.js";
import { type HttpResult, unsentResult } from "./http-result.js";

export interface HttpClientOptions {
  /** Connections open at most, idle ones included; >= 1; default 50. Further requests wait in the order of arrival. */
  readonly connections?: number;
  /** Headers of every request; they go before the sender's own, except those that frame a request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** An address: `headers` go to its scheme, host and port only, as they may hold a secret. Default: to all. */
  readonly headersFor?: string;
  /** PEM text of own certificate authorities; they are trusted beside the well-known ones. */
  readonly ca?: string;
  /** Whether redirects are followed; default: no, a redirect is an answer like any other. */
  readonly redirects?: boolean;
  /** Which addresses may be asked, those of redirects too; default: all. */
  readonly isAllowed?: (url: string) => boolean;
  /** A clock that never goes back, in milliseconds; default: `performance.now`. */
  readonly wall?: () => number;
  /** When by that clock the wall times of exchanges begin; default: now. */
  readonly originMs?: number;
}

/** One POST that needs no run around it. */
export interface PostOnceRequest extends HttpRequest {
  /** As `HttpClientOptions.ca`. */
  readonly ca?: string;
  /** As `HttpClientOptions.redirects`. */
  readonly redirects?: boolean;
  /** As `HttpClientOptions.isAllowed`. */
  readonly isAllowed?: (url: string) => boolean;
}

/** A request that is not due yet. */
interface HeldRequest extends Due {
  readonly request: CallRequest;
  readonly done: (exchange: HttpResult) => void;
}

/** The error of a request that was taken back before it got a connection. */
export const WITHDRAWN = "withdrawn";

/** The error of what was under way when the sender was closed. */
export const CLOSED = "sender-closed";

/** Connections open at most where nothing else is said (SCENARIO: "connections"). */
export const DEFAULT_CONNECTIONS: number = 50;

/** Addresses that are remembered, taken apart. */
const MAX_ROUTES = 10_000;

/**
 * Brings form-encoded bodies to HTTP and HTTPS receivers, over kept connections, and says what came back. Whatever
 * the other side does, `done` is called once for each `post`, never before `post` has returned; nothing is ever sent
 * a second time (see `Connections` for what that asks for), and what is kept of an answer is bounded (`body.ts`).
 *
 * HTTP/1.1 over sockets of our own (`http/`): a general client costs ten times as much for each request, and the
 * machine that sends the load is the first bound of what can be tested.
 *
 * Error codes of an exchange: those of Node and OpenSSL (`ECONNREFUSED`, `ECONNRESET`, `EPIPE`, `ENOTFOUND`,
 * `DEPTH_ZERO_SELF_SIGNED_CERT`…), `ETIMEDOUT`, and our own: `no-answer` (closed without a byte), `incomplete-answer`
 * (closed in the middle), `body-too-large`, `too-many-1xx`, `unexpected-upgrade`, `bad-redirect`,
 * `redirect-not-allowed`, `too-many-redirects`, `bad-url`, `host-not-allowed`, `sender-closed`, `withdrawn`. What is no
 * HTTP has a code of those that Node's users know, `HPE_…`: docs/delivery.md lists them.
 */
export class HttpClient implements HttpSender {
  readonly connections: number;
  readonly originMs: number;
  readonly #headers: Headers;
  readonly #headersOrigin: string | undefined;
  readonly #context: ExchangeContext;
  readonly #queue = new Fifo<HttpExchange>();
  readonly #dueQueue: DueQueue<HeldRequest>;
  /** Addresses that were asked before, or the code of what is wrong with one: a run has few, and asks each often. */
  readonly #routes = new Map<string, Route | string>();
  /** The one that was asked last. */
  #lastRoute: { readonly url: string; readonly route: Route | string } | undefined;
  #inFlight = 0;
  #isStartScheduled = false;
  #isClosed = false;

  /** @throws RangeError for a header that cannot be sent or that the sender sets itself, and for a `ca` that is none */
  constructor(options: HttpClientOptions = {}) {
    const { connections = DEFAULT_CONNECTIONS, headers = {}, ca, wall = () => performance.now() } = options;
    if (!Number.isSafeInteger(connections) || connections < 1) {
      throw new RangeError(`connections must be a whole number >= 1, got ${connections}`);
    }
    this.connections = connections;
    this.#headers = { ...ownHeaders, ...checkHeaders(headers) };
    this.#headersOrigin = options.headersFor === undefined ? undefined : parseTarget(options.headersFor)?.origin;
    const { originMs = wall() } = options;
    this.originMs = originMs;
    const clock = (): number => wall() - originMs;
    this.#dueQueue = new DueQueue(clock, ({ request, done }) => this.#take(request, done));
    this.#context = {
      pool: new ConnectionPool({ limit: connections, ca, clock, seatFree: () => this.#startQueued() }),
      deadlines: new Deadlines(clock),
      redirects: options.redirects ?? false,
      isAllowed: options.isAllowed ?? (() => true),
      clock,
      routeFor: (hop) => this.#routeFor(hop),
      onEnd: () => {
        this.#inFlight--;
        this.#scheduleQueuedStarts();
      },
    };
  }

  /** Requests that have a connection, or are getting one. */
  get inFlight(): number {
    return this.#inFlight;
  }

  /** Requests that wait for a connection. */
  get waitingForConnection(): number {
    return this.#queue.size;
  }

  /** Requests that are not due yet. */
  get notDue(): number {
    return this.#dueQueue.size;
  }

  /** Posts when it is due, as soon as a connection is free. A header that cannot be sent throws a RangeError here. */
  post(request: HttpRequest, done: (exchange: HttpResult) => void): void {
    const { body, timeoutMs, notBeforeMs } = request;
    let route = this.#routeToUrl(request.url);
    if (this.#isClosed || typeof route === "string") {
      const error = typeof route === "string" ? route : CLOSED;
      process.nextTick(() => done(unsentResult(error)));
      return;
    }
    let headers: Headers | undefined;
    let lines = "";
    if (request.headers !== undefined) {
      headers = checkHeaders(request.headers);
      if (replacesAny(headers, route.headers)) {
        route = this.#routeFor({ ...route, headers: { ...route.headers, ...headers } });
        headers = undefined;
      } else lines = headerLines(headers);
    }
    const asked: CallRequest = { route, headers, lines, body, timeoutMs };
    const dueMs = notBeforeMs === undefined ? undefined : notBeforeMs - this.originMs;
    if (dueMs !== undefined && dueMs > this.#context.clock()) this.#dueQueue.add({ dueMs, request: asked, done });
    else this.#take(asked, done);
  }

  /** What is due is in the sender's hands from here on. */
  #take(request: CallRequest, done: (exchange: HttpResult) => void): void {
    const call = new HttpExchange(this.#context, request, done);
    if (this.#queue.size === 0 && this.#context.pool.hasFreeSlot) this.#startExchange(call);
    else this.#queue.push(call);
  }

  /** Ends what is not due yet or waits for a connection, each with the error `withdrawn`: nothing of it was sent. */
  withdrawUnsent(): void {
    this.#failUnstarted(WITHDRAWN);
  }

  /** Ends what is under way or waits, each with the error `sender-closed`, and closes all connections. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const { deadlines, pool: connections } = this.#context;
    deadlines.failAll(CLOSED);
    this.#failUnstarted(CLOSED);
    connections.close();
  }

  #startExchange(call: HttpExchange): void {
    this.#inFlight++;
    call.start();
  }

  /**
   * When all answers that are there have been read: requests that leave one after the other wake a receiver once, and cost
   * each side a quarter less than by turns with answers.
   */
  #scheduleQueuedStarts(): void {
    if (this.#isStartScheduled || this.#queue.size === 0) return;
    this.#isStartScheduled = true;
    setImmediate(this.#startQueued);
  }

  readonly #startQueued = (): void => {
    this.#isStartScheduled = false;
    if (this.#isClosed) return;
    while (this.#queue.size > 0 && this.#context.pool.hasFreeSlot) {
      const call = this.#queue.shift();
      if (call !== undefined) this.#startExchange(call);
    }
  };

  /** What is posted meanwhile is not meant. */
  #failUnstarted(error: string): void {
    const held = this.#dueQueue.removeAll();
    for (let count = this.#queue.size; count > 0; count--) this.#queue.shift()?.abandon(error);
    for (const { done } of held) done(unsentResult(error));
  }

  #routeToUrl(url: string): Route | string {
    if (this.#lastRoute?.url === url) return this.#lastRoute.route;
    const route = this.#routes.get(url) ?? this.#newRoute(url);
    this.#lastRoute = { url, route };
    return route;
  }

  #newRoute(url: string): Route | string {
    const target = parseTarget(url);
    let route: Route | string = "bad-url";
    if (target !== null && !this.#context.isAllowed(url)) route = "host-not-allowed";
    else if (target !== null) {
      const isForeign = this.#headersOrigin !== undefined && target.origin !== this.#headersOrigin;
      route = this.#routeFor({ target, method: "POST", headers: isForeign ? ownHeaders : this.#headers });
    }
    if (this.#routes.size >= MAX_ROUTES) this.#routes.clear();
    this.#routes.set(url, route);
    return route;
  }

  #routeFor({ target, method, headers }: Hop): Route {
    const peer = this.#context.pool.peerFor(target, headers["host"] ?? "");
    return { target, method, headers, peer, head: requestHeadFor(method, target, headers) };
  }
}

/**
 * One POST with a connection of its own.
 *
 * @throws RangeError for a header that cannot be sent or that the sender sets itself, and for a `ca` that is none
 */
export async function postOnce(request: PostOnceRequest): Promise<HttpResult> {
  const { url, body, headers = {}, timeoutMs, ...options } = request;
  const sender = new HttpClient({ connections: 1, headers, ...options });
  try {
    return await new Promise<HttpResult>((resolve) => sender.post({ url, body, timeoutMs }, resolve));
  } finally {
    sender.close();
  }
}

/** As the real service sends them (webhook.md 1), under our own name. */
const ownHeaders = {
  "content-type": "application/x-www-form-urlencoded",
  "user-agent": "handset-lab",
  "accept-encoding": "identity",
};

/** Whether headers of one request must take the place of others, so that adding their lines would not do. */
function replacesAny(headers: Headers, others: Headers): boolean {
  for (const name in headers) {
    if (name === "host" || name === "authorization" || others[name] !== undefined) return true;
  }
  return false;
}
