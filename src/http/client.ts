import { performance } from "node:perf_hooks";
import { Call, type CallRequest, type CallSetting, type Route } from "./http-exchange.js";
import { Connections } from "./connection-pool.js";
import { Deadlines } from "./deadlines.js";
import { Fifo } from "./fifo.js";
import { type Due, Held } from "./due-queue.js";
import { checkedHeaders, type Headers, linesOf, outlineOf } from "./message/request.js";
import type { Hop } from "./redirects.js";
import type { Poster, PostRequest } from "./http-sender.js";
import { parseTarget } from "./url-target.js";
import { type Exchange, unsent } from "./http-result.js";

export interface SenderOptions {
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
  readonly bornMs?: number;
}

/** One POST that needs no run around it. */
export interface PostOnceRequest extends PostRequest {
  /** As `SenderOptions.ca`. */
  readonly ca?: string;
  /** As `SenderOptions.redirects`. */
  readonly redirects?: boolean;
  /** As `SenderOptions.isAllowed`. */
  readonly isAllowed?: (url: string) => boolean;
}

/** A request that is not due yet. */
interface HeldRequest extends Due {
  readonly request: CallRequest;
  readonly done: (exchange: Exchange) => void;
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
export class Sender implements Poster {
  readonly connections: number;
  readonly bornMs: number;
  readonly #headers: Headers;
  readonly #headersOrigin: string | undefined;
  readonly #setting: CallSetting;
  readonly #queue = new Fifo<Call>();
  readonly #held: Held<HeldRequest>;
  /** Addresses that were asked before, or the code of what is wrong with one: a run has few, and asks each often. */
  readonly #routes = new Map<string, Route | string>();
  /** The one that was asked last. */
  #last: { readonly url: string; readonly route: Route | string } | undefined;
  #inFlight = 0;
  #isStartPlanned = false;
  #isClosed = false;

  /** @throws RangeError for a header that cannot be sent or that the sender sets itself, and for a `ca` that is none */
  constructor(options: SenderOptions = {}) {
    const { connections = DEFAULT_CONNECTIONS, headers = {}, ca, wall = () => performance.now() } = options;
    if (!Number.isSafeInteger(connections) || connections < 1) {
      throw new RangeError(`connections must be a whole number >= 1, got ${connections}`);
    }
    this.connections = connections;
    this.#headers = { ...ownHeaders, ...checkedHeaders(headers) };
    this.#headersOrigin = options.headersFor === undefined ? undefined : parseTarget(options.headersFor)?.origin;
    const { bornMs = wall() } = options;
    this.bornMs = bornMs;
    const clock = (): number => wall() - bornMs;
    this.#held = new Held(clock, ({ request, done }) => this.#take(request, done));
    this.#setting = {
      connections: new Connections({ limit: connections, ca, clock, seatFree: () => this.#startNext() }),
      deadlines: new Deadlines(clock),
      redirects: options.redirects ?? false,
      isAllowed: options.isAllowed ?? (() => true),
      clock,
      routeOf: (hop) => this.#routeOf(hop),
      ended: () => {
        this.#inFlight--;
        this.#startSoon();
      },
    };
  }

  /** Requests that have a connection, or are getting one. */
  get inFlight(): number {
    return this.#inFlight;
  }

  /** Requests that wait for a connection. */
  get queued(): number {
    return this.#queue.size;
  }

  /** Requests that are not due yet. */
  get held(): number {
    return this.#held.size;
  }

  /** Posts when it is due, as soon as a connection is free. A header that cannot be sent throws a RangeError here. */
  post(request: PostRequest, done: (exchange: Exchange) => void): void {
    const { body, timeoutMs, notBeforeMs } = request;
    let route = this.#routeTo(request.url);
    if (this.#isClosed || typeof route === "string") {
      const error = typeof route === "string" ? route : CLOSED;
      process.nextTick(() => done(unsent(error)));
      return;
    }
    let headers: Headers | undefined;
    let lines = "";
    if (request.headers !== undefined) {
      headers = checkedHeaders(request.headers);
      if (replacesAny(headers, route.headers)) {
        route = this.#routeOf({ ...route, headers: { ...route.headers, ...headers } });
        headers = undefined;
      } else lines = linesOf(headers);
    }
    const asked: CallRequest = { route, headers, lines, body, timeoutMs };
    const dueMs = notBeforeMs === undefined ? undefined : notBeforeMs - this.bornMs;
    if (dueMs !== undefined && dueMs > this.#setting.clock()) this.#held.add({ dueMs, request: asked, done });
    else this.#take(asked, done);
  }

  /** What is due is in the sender's hands from here on. */
  #take(request: CallRequest, done: (exchange: Exchange) => void): void {
    const call = new Call(this.#setting, request, done);
    if (this.#queue.size === 0 && this.#setting.connections.hasSeat) this.#start(call);
    else this.#queue.push(call);
  }

  /** Ends what is not due yet or waits for a connection, each with the error `withdrawn`: nothing of it was sent. */
  withdraw(): void {
    this.#abandonWaiting(WITHDRAWN);
  }

  /** Ends what is under way or waits, each with the error `sender-closed`, and closes all connections. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const { deadlines, connections } = this.#setting;
    deadlines.failAll(CLOSED);
    this.#abandonWaiting(CLOSED);
    connections.close();
  }

  #start(call: Call): void {
    this.#inFlight++;
    call.start();
  }

  /**
   * When all answers that are there have been read: requests that leave one after the other wake a receiver once, and cost
   * each side a quarter less than by turns with answers.
   */
  #startSoon(): void {
    if (this.#isStartPlanned || this.#queue.size === 0) return;
    this.#isStartPlanned = true;
    setImmediate(this.#startNext);
  }

  readonly #startNext = (): void => {
    this.#isStartPlanned = false;
    if (this.#isClosed) return;
    while (this.#queue.size > 0 && this.#setting.connections.hasSeat) {
      const call = this.#queue.shift();
      if (call !== undefined) this.#start(call);
    }
  };

  /** What is posted meanwhile is not meant. */
  #abandonWaiting(error: string): void {
    const held = this.#held.takeAll();
    for (let count = this.#queue.size; count > 0; count--) this.#queue.shift()?.abandon(error);
    for (const { done } of held) done(unsent(error));
  }

  #routeTo(url: string): Route | string {
    if (this.#last?.url === url) return this.#last.route;
    const route = this.#routes.get(url) ?? this.#newRoute(url);
    this.#last = { url, route };
    return route;
  }

  #newRoute(url: string): Route | string {
    const target = parseTarget(url);
    let route: Route | string = "bad-url";
    if (target !== null && !this.#setting.isAllowed(url)) route = "host-not-allowed";
    else if (target !== null) {
      const isForeign = this.#headersOrigin !== undefined && target.origin !== this.#headersOrigin;
      route = this.#routeOf({ target, method: "POST", headers: isForeign ? ownHeaders : this.#headers });
    }
    if (this.#routes.size >= MAX_ROUTES) this.#routes.clear();
    this.#routes.set(url, route);
    return route;
  }

  #routeOf({ target, method, headers }: Hop): Route {
    const peer = this.#setting.connections.peerOf(target, headers["host"] ?? "");
    return { target, method, headers, peer, outline: outlineOf(method, target, headers) };
  }
}

/**
 * One POST with a connection of its own.
 *
 * @throws RangeError for a header that cannot be sent or that the sender sets itself, and for a `ca` that is none
 */
export async function postOnce(request: PostOnceRequest): Promise<Exchange> {
  const { url, body, headers = {}, timeoutMs, ...options } = request;
  const sender = new Sender({ connections: 1, headers, ...options });
  try {
    return await new Promise<Exchange>((resolve) => sender.post({ url, body, timeoutMs }, resolve));
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
