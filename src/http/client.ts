import { performance } from "node:perf_hooks";
import { HttpExchange, type RoutedRequest, type ExchangeContext, type Route } from "./http-exchange.js";
import { ConnectionPool } from "./connection-pool.js";
import { Deadlines } from "./deadlines.js";
import { Fifo } from "./fifo.js";
import { type Due, DueQueue } from "./due-queue.js";
import { checkHeaders, type Headers, headerLines, requestHeadFor } from "./message/request.js";
import type { Hop } from "./redirects.js";
import type { HttpSender, HttpRequest } from "./http-sender.js";
import { parseTarget } from "./url-target.js";
import { type HttpResult, unsentResult } from "./http-result.js";

/** Settings of an `HttpClient`. */
export interface HttpClientOptions {
  /** Maximum of open connections, idle ones included; >= 1; default 50. Further requests queue in order of arrival. */
  readonly connections?: number;
  /** Headers of every request; they override the client's own. Headers that frame a request are refused. */
  readonly headers?: Readonly<Record<string, string>>;
  /** An address: `headers` go to its scheme, host and port only, as they may hold a secret. Default: to all. */
  readonly headersFor?: string;
  /** PEM text of certificate authorities that are trusted in addition to the well-known ones. */
  readonly ca?: string;
  /** Whether redirects are followed; default: no, a redirect is an answer like any other. */
  readonly redirects?: boolean;
  /** Whether a request may go to a URL, redirects included; default: all. */
  readonly isAllowed?: (url: string) => boolean;
  /** A clock that never goes back, in milliseconds; default: `performance.now`. */
  readonly wall?: () => number;
  /** Instant of that clock from which the wall times of results count; default: now. */
  readonly originMs?: number;
}

/** One POST without a client to reuse. */
export interface PostOnceRequest extends HttpRequest {
  /** As `HttpClientOptions.ca`. */
  readonly ca?: string;
  /** As `HttpClientOptions.redirects`. */
  readonly redirects?: boolean;
  /** As `HttpClientOptions.isAllowed`. */
  readonly isAllowed?: (url: string) => boolean;
}

/** A request in the due queue. */
interface HeldRequest extends Due {
  readonly request: RoutedRequest;
  readonly done: (result: HttpResult) => void;
}

/** Error of a request that was withdrawn before it got a connection. */
export const WITHDRAWN = "withdrawn";

/** Error of a request in flight or queued when the client was closed. */
export const CLOSED = "sender-closed";

/** Maximum of open connections when neither scenario nor command line sets `connections`. */
export const DEFAULT_CONNECTIONS: number = 50;

/** Capacity of the cache of parsed URLs; a full cache is cleared. */
const MAX_ROUTES = 10_000;

/**
 * HTTP/1.1 client over plain and TLS sockets: posts bodies over pooled connections. It calls `done` once for each
 * `post`, never before `post` has returned. It never sends a request twice (see `ConnectionPool`), and keeps a bounded
 * part of an answer (`message/body.ts`).
 *
 * A general client costs ten times as much CPU for each request, and the machine that sends the load limits what can be
 * tested.
 *
 * Error codes of a result: those of Node and OpenSSL (`ECONNREFUSED`, `ECONNRESET`, `EPIPE`, `ENOTFOUND`,
 * `DEPTH_ZERO_SELF_SIGNED_CERT`…), `ETIMEDOUT`, and this client's: `no-answer` (closed without a byte),
 * `incomplete-answer` (closed in the middle), `body-too-large`, `too-many-1xx`, `unexpected-upgrade`, `bad-redirect`,
 * `redirect-not-allowed`, `too-many-redirects`, `bad-url`, `host-not-allowed`, `sender-closed`, `withdrawn`. Answers
 * that are not HTTP get the codes of Node's parser, `HPE_…`: docs/delivery.md lists them.
 */
export class HttpClient implements HttpSender {
  readonly connections: number;
  readonly originMs: number;
  readonly #headers: Headers;
  readonly #headersOrigin: string | undefined;
  readonly #context: ExchangeContext;
  readonly #queue = new Fifo<HttpExchange>();
  readonly #dueQueue: DueQueue<HeldRequest>;
  /**
   * Cache by URL: the route, or the error code of a URL that cannot be used. A run has few URLs and posts to each
   * often.
   */
  readonly #routes = new Map<string, Route | string>();
  /** The last route that was looked up. */
  #lastRoute: { readonly url: string; readonly route: Route | string } | undefined;
  #inFlight = 0;
  #isStartScheduled = false;
  #isClosed = false;

  /**
   * @throws RangeError for a header that cannot be sent or that the client sets itself, and for a `ca` that is not PEM
   */
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
    this.#dueQueue = new DueQueue(clock, ({ request, done }) => this.#acceptRequest(request, done));
    this.#context = {
      pool: new ConnectionPool({ limit: connections, ca, clock, onSlotFreed: () => this.#startQueued() }),
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

  /** Requests that have a connection or are opening one. */
  get inFlight(): number {
    return this.#inFlight;
  }

  /** Due requests that wait for a connection. */
  get waitingForConnection(): number {
    return this.#queue.size;
  }

  /** Requests that are not due yet. */
  get notDue(): number {
    return this.#dueQueue.size;
  }

  /** Posts when it is due, as soon as a connection is free. A header that cannot be sent throws a RangeError here. */
  post(request: HttpRequest, done: (result: HttpResult) => void): void {
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
    const asked: RoutedRequest = { route, headers, lines, body, timeoutMs };
    const dueMs = notBeforeMs === undefined ? undefined : notBeforeMs - this.originMs;
    if (dueMs !== undefined && dueMs > this.#context.clock()) this.#dueQueue.add({ dueMs, request: asked, done });
    else this.#acceptRequest(asked, done);
  }

  /** Starts a due request, or queues it for a connection; `postedWallMs` is now. */
  #acceptRequest(request: RoutedRequest, done: (result: HttpResult) => void): void {
    const exchange = new HttpExchange(this.#context, request, done);
    if (this.#queue.size === 0 && this.#context.pool.hasFreeSlot) this.#startExchange(exchange);
    else this.#queue.push(exchange);
  }

  /** Ends requests that are not due or wait for a connection with the error `withdrawn`: no byte of them was sent. */
  withdrawUnsent(): void {
    this.#failUnstarted(WITHDRAWN);
  }

  /** Ends all requests with the error `sender-closed`, and closes all connections. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const { deadlines, pool: connections } = this.#context;
    deadlines.failAll(CLOSED);
    this.#failUnstarted(CLOSED);
    connections.close();
  }

  #startExchange(exchange: HttpExchange): void {
    this.#inFlight++;
    exchange.start();
  }

  /**
   * Starts queued requests after all available answers are read. Requests written back to back wake the receiver once,
   * and cost each side a quarter less than requests that alternate with answers.
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
      const exchange = this.#queue.shift();
      if (exchange !== undefined) this.#startExchange(exchange);
    }
  };

  /** Fails what waits at this moment; a callback may post new requests, which stay. */
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
 * Posts once, over a connection that is then closed.
 *
 * @throws RangeError for a header that cannot be sent or that the client sets itself, and for a `ca` that is not PEM
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

/** Headers of the real service (docs/reference/webhook.md#transport), with our product name. */
const ownHeaders = {
  "content-type": "application/x-www-form-urlencoded",
  "user-agent": "handset-lab",
  "accept-encoding": "identity",
};

/** Whether headers of one request override others, so that appending their lines is not enough. */
function replacesAny(headers: Headers, others: Headers): boolean {
  for (const name in headers) {
    if (name === "host" || name === "authorization" || others[name] !== undefined) return true;
  }
  return false;
}
