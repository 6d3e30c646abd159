import { type ConnectionUser, errorCode, type HttpConnection, type Peer } from "./connection.js";
import { type Craft, writingMs } from "./crafted-write.js";
import type { ConnectionPool } from "./connection-pool.js";
import type { Deadline, Deadlines } from "./deadlines.js";
import type { Due } from "./due-queue.js";
import { sentBody } from "./message/method.js";
import { type Headers, type RequestHead, serializeRequest } from "./message/request.js";
import { redirectedHop, type Hop, isRedirect } from "./redirects.js";
import { type HttpResult, NO_REDIRECTS, unsentResult } from "./http-result.js";

/** What an exchange needs from its client. */
export interface ExchangeContext {
  readonly pool: ConnectionPool;
  readonly deadlines: Deadlines;
  /** Redirects that are followed for a request that does not say how many. */
  readonly maxRedirects: number;
  readonly isAllowed: (url: string) => boolean;
  /** Wall milliseconds from the client's origin. */
  readonly clock: () => number;
  readonly routeFor: (hop: Hop) => RequestRoute;
  /** Called when the connection is released, before the result is reported. */
  readonly onEnd: () => void;
}

/** URL, method and headers of a request with its peer and its serialized head. Exchanges with one URL share it. */
export interface RequestRoute extends Hop {
  readonly peer: Peer;
  readonly head: RequestHead;
}

/** A request with its route. */
export interface RoutedRequest {
  readonly route: RequestRoute;
  /** Headers of this request only, disjoint from those of the route; `lines` has them as text. */
  readonly headers: Headers | undefined;
  readonly lines: string;
  readonly body: string;
  /** > 0. */
  readonly timeoutMs: number;
  /** By the client's clock; -Infinity: at once. */
  readonly dueMs: number;
  /** Undefined: as the context says. */
  readonly maxRedirects: number | undefined;
  readonly craft: Craft | undefined;
}

/**
 * One HTTP exchange: a request, the redirects that are followed, and the answer or failure that ends it. Calls `done`
 * once, after the connection is released.
 */
export class HttpExchange implements ConnectionUser, Deadline, Due {
  previous: Deadline | undefined;
  next: Deadline | undefined;
  readonly timeoutMs: number;
  readonly dueMs: number;
  startedMs = 0;
  #postedMs: number | null = null;
  readonly #context: ExchangeContext;
  readonly #done: (result: HttpResult) => void;
  readonly #body: string;
  readonly #headers: Headers | undefined;
  readonly #maxRedirects: number;
  readonly craft: Craft | undefined;
  #lines: string;
  #route: RequestRoute;
  #sentMs: number | null = null;
  /** Set while a connection starts the request: an open one writes it synchronously, so the clock is not read again. */
  #acquiredMs: number | undefined;
  #connection: HttpConnection | undefined;
  #redirects: string[] | undefined;
  #refusedUrl: string | undefined;
  #isSettled = false;

  constructor(context: ExchangeContext, request: RoutedRequest, done: (result: HttpResult) => void) {
    this.#context = context;
    this.#done = done;
    this.#body = request.body;
    this.#headers = request.headers;
    this.#lines = request.lines;
    this.#route = request.route;
    this.#maxRedirects = request.maxRedirects ?? context.maxRedirects;
    this.craft = request.craft;
    this.timeoutMs = request.timeoutMs + slowMs(request);
    this.dueMs = request.dueMs;
  }

  /** Sets `postedWallMs` of the result to now; call it when the exchange is due. */
  markPosted(): void {
    this.#postedMs = this.#context.clock();
  }

  /** Acquires a connection; the pool must have a free slot. */
  start(): void {
    this.startedMs = this.#context.clock();
    this.#context.deadlines.add(this);
    this.#startRequest(this.startedMs);
  }

  /** Ends an exchange that was never started. */
  abandon(error: string): void {
    this.#done(unsentResult(error));
  }

  /** Ends a started exchange whose deadline is already removed. */
  fail(error: string): void {
    this.#settle(null, error);
  }

  requestBytes({ use }: HttpConnection): string | Uint8Array {
    const { head, method } = this.#route;
    this.#sentMs ??= this.#acquiredMs ?? this.#context.clock();
    return serializeRequest(use === "single" ? head.close : head.keepAlive, this.#lines, sentBody(method, this.#body));
  }

  onWritten(): void {
    if (this.craft?.bytesPerS !== undefined) this.#sentMs = this.#context.clock();
  }

  get isHead(): boolean {
    return this.#route.method === "HEAD";
  }

  onAnswer({ answer: { head } }: HttpConnection): void {
    const status = head?.status ?? 0;
    const location = head?.location;
    if (location !== undefined && this.#maxRedirects > 0 && isRedirect(status)) this.#followRedirect(status, location);
    else this.#end(status, null);
  }

  onFailure(error: string): void {
    this.#end(null, error);
  }

  #startRequest(nowMs: number): void {
    this.#connection = undefined;
    try {
      this.#connection = this.#context.pool.acquireConnection(this.#route.peer, nowMs);
    } catch (error) {
      // Not expected with a checked URL. An unforeseen error becomes a result: `post` must not throw it.
      process.nextTick(() => this.#end(null, errorCode(error)));
      return;
    }
    this.#acquiredMs = nowMs;
    this.#connection.startExchange(this);
    this.#acquiredMs = undefined;
  }

  #followRedirect(status: number, location: string): void {
    const { pool, clock, routeFor, isAllowed } = this.#context;
    const from = this.#route;
    const hop = redirectedHop({ ...from, headers: { ...from.headers, ...this.#headers } }, status, location);
    if (hop === null) return this.#end(null, "bad-redirect");
    if (!isAllowed(hop.target.url)) {
      this.#refusedUrl = hop.target.url;
      return this.#end(null, "redirect-not-allowed");
    }
    this.#redirects ??= [];
    if (this.#redirects.length === this.#maxRedirects) return this.#end(null, "too-many-redirects");
    this.#redirects.push(hop.target.url);
    this.#route = routeFor(hop);
    this.#lines = "";
    const nowMs = clock();
    // The next request follows at once, so a connection that would be watched is closed instead.
    if (this.#connection !== undefined) pool.releaseConnection(this.#connection, nowMs, { mayWatch: false });
    this.#startRequest(nowMs);
  }

  #end(status: number | null, error: string | null): void {
    if (this.#isSettled) return;
    this.#context.deadlines.remove(this);
    this.#settle(status, error);
  }

  #settle(status: number | null, error: string | null): void {
    const { pool, clock, onEnd } = this.#context;
    this.#isSettled = true;
    const connection = this.#connection;
    const head = connection?.answer.head;
    const body = connection?.answer.body;
    const nowMs = clock();
    const result: HttpResult = {
      postedWallMs: this.#postedMs,
      sentWallMs: this.#sentMs,
      durationMs: nowMs - (this.#sentMs ?? this.startedMs),
      status,
      error,
      headers: head === undefined ? null : head.lines,
      body: body === undefined ? null : body.decodedStart(head?.encoding),
      bodyBytes: body === undefined ? 0 : body.bytes,
      redirects: this.#redirects ?? NO_REDIRECTS,
    };
    this.#connection = undefined;
    if (connection !== undefined) {
      if (status === null) connection.destroy();
      else pool.releaseConnection(connection, nowMs, { mayWatch: true });
    }
    onEnd();
    this.#done(this.#refusedUrl === undefined ? result : { ...result, refusedUrl: this.#refusedUrl });
  }
}

/** How much longer a slow request takes to write than the usual one. */
function slowMs({ craft, route, lines, body }: RoutedRequest): number {
  if (craft?.bytesPerS === undefined) return 0;
  // The length of the body has a line of its own in the head.
  const bytes = route.head.keepAlive.length + lines.length + Buffer.byteLength(body) + 64;
  return writingMs(bytes, craft.bytesPerS) + 1000;
}
