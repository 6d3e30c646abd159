import { performance } from "node:perf_hooks";
import { HttpExchange, type ExchangeContext, type RequestRoute } from "./http-exchange.js";
import type { Craft } from "./crafted-write.js";
import { ConnectionPool } from "./connection-pool.js";
import { Deadlines } from "./deadlines.js";
import { Fifo } from "./fifo.js";
import { DueQueue } from "./due-queue.js";
import { checkMethod, sentBody } from "./message/method.js";
import { checkHeaders, type Headers, headerLines, requestHeadFor } from "./message/request.js";
import type { Hop } from "./redirects.js";
import type { HttpSender, HttpRequest } from "./http-sender.js";
import { parseTarget } from "./url-target.js";
import { type HttpResult, unsentResult } from "./http-result.js";

/** Settings of an `HttpClient`. */
export interface HttpClientOptions {
  /** Maximum of open connections, idle ones included; >= 1; default 50. Further requests wait in a queue. */
  readonly connections?: number;
  /** Headers of every request; they override the client's own. Headers that frame a request are refused. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Content type of requests that name none; default: that of a form. Null: such a request has none. Requests without a
   * body never get it.
   */
  readonly contentType?: string | null;
  /** A URL: `headers` are sent only to its origin (scheme, host, port), as they may hold a secret. Default: to all. */
  readonly headersFor?: string;
  /** PEM text of certificate authorities that are trusted in addition to the well-known ones. */
  readonly ca?: string;
  /** Whether redirects are followed; default: no, a redirect is an answer like any other. */
  readonly redirects?: boolean;
  /** Whether a request may be sent to a URL, redirects included; default: to all. */
  readonly isAllowed?: (url: string) => boolean;
  /** A clock that never goes back, in milliseconds; default: `performance.now`. */
  readonly wall?: () => number;
  /** Instant of `wall` from which the wall times of results count; default: now. */
  readonly originMs?: number;
}

/** One request by a client that is closed afterwards. */
export interface PostOnceRequest extends HttpRequest {
  /** As `HttpClientOptions.ca`. */
  readonly ca?: string;
  /** As `HttpClientOptions.redirects`. */
  readonly redirects?: boolean;
  /** As `HttpClientOptions.isAllowed`. */
  readonly isAllowed?: (url: string) => boolean;
}

/** Error of a request that `withdrawUnsent` withdrew before it got a connection. */
export const WITHDRAWN = "withdrawn";

/** Error of a request that was in flight or queued when the client was closed, or was posted after it. */
export const CLOSED = "sender-closed";

/** Maximum of open connections when neither scenario nor command line sets `connections`. */
export const DEFAULT_CONNECTIONS: number = 50;

/** Redirects that are followed before the exchange fails (docs/reference/webhook.md#transport: up to 30). */
const MAX_REDIRECTS = 30;

/** Capacity of the cache of parsed URLs; a full cache is cleared. */
const MAX_ROUTES = 10_000;

/**
 * HTTP/1.1 client over plain and TLS sockets: sends requests over pooled connections. It calls `done` once for each
 * `post`, never before `post` has returned. It never sends a request twice (see `ConnectionPool`), and keeps a bounded
 * part of an answer (`message/body.ts`).
 *
 * Node's HTTP client takes about 200 µs of CPU for each request, this one 12 µs (docs/delivery.md): less CPU for each
 * request means more load from the same machine.
 *
 * Error codes of a result: those of Node and OpenSSL (`ECONNREFUSED`, `ECONNRESET`, `EPIPE`, `ENOTFOUND`,
 * `DEPTH_ZERO_SELF_SIGNED_CERT`…), `ETIMEDOUT`, and this client's: `no-answer` (closed without a byte),
 * `incomplete-answer` (closed in the middle), `body-too-large`, `too-many-1xx`, `unexpected-upgrade`, `bad-redirect`,
 * `redirect-not-allowed`, `too-many-redirects`, `bad-url`, `host-not-allowed`, `sender-closed`, `withdrawn`, and `cut`
 * for a request that was to be cut. Answers
 * that are not HTTP get the codes of Node's parser, `HPE_…`: docs/delivery.md lists them.
 */
export class HttpClient implements HttpSender {
  readonly connections: number;
  readonly originMs: number;
  /** Without the caller's. */
  readonly #ownHeaders: Headers;
  readonly #headers: Headers;
  readonly #headersOrigin: string | undefined;
  readonly #context: ExchangeContext;
  readonly #queue = new Fifo<HttpExchange>();
  readonly #dueQueue: DueQueue<HttpExchange>;
  /**
   * Cache by URL: the route, or the error code of a URL that cannot be used. A run has few URLs and posts to each
   * often.
   */
  readonly #routes = new Map<string, RequestRoute | string>();
  /** The last route that was looked up. */
  #lastRoute: { readonly url: string; readonly route: RequestRoute | string } | undefined;
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
    const { contentType = FORM } = options;
    this.#ownHeaders = contentType === null ? ownHeaders : { "content-type": contentType, ...ownHeaders };
    this.#headers = { ...this.#ownHeaders, ...checkHeaders(headers) };
    this.#headersOrigin = options.headersFor === undefined ? undefined : parseTarget(options.headersFor)?.origin;
    const { originMs = wall() } = options;
    this.originMs = originMs;
    const clock = (): number => wall() - originMs;
    this.#dueQueue = new DueQueue(clock, (exchange) => this.#acceptExchange(exchange));
    this.#context = {
      pool: new ConnectionPool({ limit: connections, ca, clock, onSlotFreed: () => this.#startQueued() }),
      deadlines: new Deadlines(clock),
      maxRedirects: options.redirects === true ? MAX_REDIRECTS : 0,
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

  /** @throws RangeError for a method or header that cannot be sent, and for a header that the client sets itself */
  post(request: HttpRequest, done: (result: HttpResult) => void): void {
    const { body, timeoutMs, notBeforeMs, maxRedirects } = request;
    let route = this.#cachedRoute(request.url);
    if (this.#isClosed || typeof route === "string") {
      const error = typeof route === "string" ? route : CLOSED;
      process.nextTick(() => done(unsentResult(error)));
      return;
    }
    let headers: Headers | undefined;
    let lines = "";
    if (request.method !== undefined && request.method !== "POST") route = this.#routeWithMethod(route, request);
    else if (request.headers !== undefined) {
      headers = checkHeaders(request.headers);
      if (replacesAny(headers, route.headers)) {
        route = this.#routeFor({ ...route, headers: { ...route.headers, ...headers } });
        headers = undefined;
      } else lines = headerLines(headers);
    }
    const dueMs = notBeforeMs === undefined ? -Infinity : notBeforeMs - this.originMs;
    const exchange = new HttpExchange(
      this.#context,
      { route, headers, lines, body, timeoutMs, dueMs, maxRedirects, craft: craftOf(request) },
      done,
    );
    if (dueMs > this.#context.clock()) this.#dueQueue.add(exchange);
    else this.#acceptExchange(exchange);
  }

  /** Starts a due exchange, or queues it for a connection. */
  #acceptExchange(exchange: HttpExchange): void {
    exchange.markPosted();
    if (this.#queue.size === 0 && this.#context.pool.hasFreeSlot) this.#startExchange(exchange);
    else this.#queue.push(exchange);
  }

  /** Ends requests that are not due or wait for a connection with the error `withdrawn`: no byte of them was sent. */
  withdrawUnsent(): void {
    this.#abandonUnstarted(WITHDRAWN);
  }

  /** Ends all requests with the error `sender-closed`, and closes all connections. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const { deadlines, pool } = this.#context;
    deadlines.failAll(CLOSED);
    this.#abandonUnstarted(CLOSED);
    pool.close();
  }

  #startExchange(exchange: HttpExchange): void {
    this.#inFlight++;
    exchange.start();
  }

  /**
   * Starts queued exchanges in the next turn of the event loop, after the answers that are already there. Requests that
   * are written back to back wake the receiver once: each side uses a quarter less CPU.
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

  /** Abandons the exchanges that wait now. Requests that a callback posts meanwhile are not among them. */
  #abandonUnstarted(error: string): void {
    const notDue = this.#dueQueue.removeAll();
    for (let count = this.#queue.size; count > 0; count--) this.#queue.shift()?.abandon(error);
    for (const exchange of notDue) exchange.abandon(error);
  }

  #cachedRoute(url: string): RequestRoute | string {
    if (this.#lastRoute?.url === url) return this.#lastRoute.route;
    const route = this.#routes.get(url) ?? this.#newRoute(url);
    this.#lastRoute = { url, route };
    return route;
  }

  #newRoute(url: string): RequestRoute | string {
    const target = parseTarget(url);
    let route: RequestRoute | string = "bad-url";
    if (target !== null && !this.#context.isAllowed(url)) route = "host-not-allowed";
    else if (target !== null) {
      const isForeign = this.#headersOrigin !== undefined && target.origin !== this.#headersOrigin;
      route = this.#routeFor({ target, method: "POST", headers: isForeign ? this.#ownHeaders : this.#headers });
    }
    if (this.#routes.size >= MAX_ROUTES) this.#routes.clear();
    this.#routes.set(url, route);
    return route;
  }

  /** Route of a request other than a POST; such routes are not cached. */
  #routeWithMethod(
    { target, headers }: RequestRoute,
    { method = "POST", body, headers: own = {} }: HttpRequest,
  ): RequestRoute {
    const { "content-type": contentType, ...others } = headers;
    const inherited = contentType !== undefined && sentBody(method, body) !== null ? headers : others;
    return this.#routeFor({ target, method: checkMethod(method), headers: { ...inherited, ...checkHeaders(own) } });
  }

  #routeFor({ target, method, headers }: Hop): RequestRoute {
    const peer = this.#context.pool.peerFor(target, headers["host"] ?? "");
    return { target, method, headers, peer, head: requestHeadFor(method, target, headers) };
  }
}

/**
 * Sends one request, over a connection that is then closed.
 *
 * @throws RangeError for a header that cannot be sent or that the client sets itself, and for a `ca` that is not PEM
 */
export async function postOnce(request: PostOnceRequest): Promise<HttpResult> {
  const { url, method, body, headers = {}, timeoutMs, maxRedirects, ...options } = request;
  const client = new HttpClient({ connections: 1, headers, ...options });
  try {
    return await new Promise<HttpResult>((resolve) =>
      client.post({ url, method, body, timeoutMs, maxRedirects }, resolve),
    );
  } finally {
    client.close();
  }
}

const FORM = "application/x-www-form-urlencoded";

/** Headers of the real service (docs/reference/webhook.md#transport), with our product name, of each request. */
export const ownHeaders = {
  "user-agent": "handset-lab",
  "accept-encoding": "identity",
};

function craftOf({ cut, bytesPerS }: HttpRequest): Craft | undefined {
  return cut === undefined && bytesPerS === undefined ? undefined : { cut, bytesPerS };
}

/** Whether headers of one request replace some of its route's, so that appending their lines is not enough. */
function replacesAny(headers: Headers, routeHeaders: Headers): boolean {
  for (const name in headers) {
    if (name === "host" || name === "authorization" || routeHeaders[name] !== undefined) return true;
  }
  return false;
}
