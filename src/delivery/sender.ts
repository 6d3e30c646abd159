import { validateHeaderName, validateHeaderValue } from "node:http";
import { Call, type CallSetting } from "./call.js";
import { Connections } from "./connections.js";
import { Fifo } from "./fifo.js";
import { parseTarget, type Target } from "./target.js";
import type { Exchange } from "./types.js";

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
}

/** One POST. */
export interface PostRequest {
  readonly url: string;
  /** Form-encoded. */
  readonly body: string;
  /** Headers of this request alone; they go before the others. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Wall time for the whole exchange, redirects included, from the moment the request gets its connection. > 0. */
  readonly timeoutMs: number;
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

/** The error of a request that was taken back before it got a connection. */
export const WITHDRAWN = "withdrawn";

/** The error of what was under way when the sender was closed. */
export const CLOSED = "sender-closed";

/** Connections open at most where nothing else is said (SCENARIO: "connections"). */
export const DEFAULT_CONNECTIONS: number = 50;

/**
 * Brings form-encoded bodies to HTTP and HTTPS receivers, over kept connections, and says what came back. Whatever
 * the other side does, `done` is called once for each `post`, never before `post` has returned; nothing is ever sent
 * a second time (see `Connections` for what that asks for), and what is kept of an answer is bounded (`body.ts`).
 *
 * Error codes of an exchange: those of Node and OpenSSL (`ECONNREFUSED`, `ECONNRESET`, `HPE_INVALID_CONSTANT`,
 * `DEPTH_ZERO_SELF_SIGNED_CERT`…), `ETIMEDOUT`, and our own: `no-answer` (closed without a byte), `incomplete-answer`
 * (closed in the middle), `body-too-large`, `too-many-1xx`, `unexpected-upgrade`, `bad-redirect`,
 * `redirect-not-allowed`, `too-many-redirects`, `bad-url`, `host-not-allowed`, `sender-closed`.
 */
export class Sender {
  readonly connections: number;
  readonly #pool: Connections;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #headersOrigin: string | undefined;
  readonly #redirects: boolean;
  readonly #setting: CallSetting;
  readonly #calls = new Set<Call>();
  readonly #queue = new Fifo<() => void>();
  /** Addresses that were taken apart before: a run has few, and each is asked many times. */
  readonly #targets = new Map<string, Target | string>();
  #seatsTaken = 0;
  #isClosed = false;
  #isWithdrawing = false;

  /** @throws RangeError for a header that cannot be sent or that the sender sets itself, and for a `ca` that is none */
  constructor(options: SenderOptions = {}) {
    const { connections = DEFAULT_CONNECTIONS, headers = {}, ca, wall = () => performance.now() } = options;
    if (!Number.isSafeInteger(connections) || connections < 1) {
      throw new RangeError(`connections must be a whole number >= 1, got ${connections}`);
    }
    this.connections = connections;
    this.#headers = { ...ownHeaders, ...checkedHeaders(headers) };
    this.#headersOrigin = options.headersFor === undefined ? undefined : parseTarget(options.headersFor)?.origin;
    this.#redirects = options.redirects ?? false;
    this.#pool = new Connections({ limit: connections, ca });
    const bornMs = wall();
    this.#setting = {
      connections: this.#pool,
      isAllowed: options.isAllowed ?? (() => true),
      wall: () => wall() - bornMs,
    };
  }

  /** Requests that have a connection, or are getting one. */
  get inFlight(): number {
    return this.#calls.size;
  }

  /** Requests that wait for a connection. */
  get queued(): number {
    return this.#queue.size;
  }

  /** Posts as soon as a connection is free. A header that cannot be sent throws a RangeError here. */
  post(request: PostRequest, done: (exchange: Exchange) => void): void {
    const target = this.#targetOf(request.url);
    if (this.#isClosed || typeof target === "string") {
      const error = typeof target === "string" ? target : CLOSED;
      process.nextTick(() => done(unsent(error)));
      return;
    }
    const isForeign = this.#headersOrigin !== undefined && target.origin !== this.#headersOrigin;
    const base = isForeign ? ownHeaders : this.#headers;
    const headers = request.headers === undefined ? base : { ...base, ...checkedHeaders(request.headers) };
    const start = (): void => {
      if (this.#isClosed) return done(unsent(CLOSED));
      if (this.#isWithdrawing) return done(unsent(WITHDRAWN));
      this.#seatsTaken++;
      const call = new Call(
        this.#setting,
        { target, body: request.body, headers, timeoutMs: request.timeoutMs, redirects: this.#redirects },
        {
          done: (exchange) => {
            this.#calls.delete(call);
            done(exchange);
          },
          released: () => {
            this.#seatsTaken--;
            this.#next();
          },
        },
      );
      this.#calls.add(call);
    };
    if (this.#seatsTaken < this.connections && this.#queue.size === 0) start();
    else this.#queue.push(start);
  }

  /** Ends what still waits for a connection, each with the error `withdrawn`: nothing of it was sent. */
  withdraw(): void {
    this.#isWithdrawing = true;
    for (let start = this.#queue.shift(); start !== undefined; start = this.#queue.shift()) start();
    this.#isWithdrawing = false;
  }

  /** Ends what is under way or waits, each with the error `sender-closed`, and closes all connections. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const call of this.#calls) call.fail(CLOSED);
    for (let start = this.#queue.shift(); start !== undefined; start = this.#queue.shift()) start();
    this.#pool.close();
  }

  #next(): void {
    while (this.#seatsTaken < this.connections) {
      const start = this.#queue.shift();
      if (start === undefined) return;
      start();
    }
  }

  /** The address taken apart, or the code of what is wrong with it. */
  #targetOf(url: string): Target | string {
    const known = this.#targets.get(url);
    if (known !== undefined) return known;
    const target = parseTarget(url) ?? "bad-url";
    const result = typeof target === "string" || this.#setting.isAllowed(url) ? target : "host-not-allowed";
    if (this.#targets.size >= 10_000) this.#targets.clear();
    this.#targets.set(url, result);
    return result;
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

/** What frames a request is not the user's to set: a wrong value would break the connection for others. */
const framing = new Set([
  "content-length",
  "transfer-encoding",
  "connection",
  "keep-alive",
  "upgrade",
  "expect",
  "te",
  "trailer",
]);

function checkedHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      const lower = name.toLowerCase();
      if (framing.has(lower)) throw new RangeError(`header '${name}' is set by the sender; leave it out`);
      try {
        validateHeaderName(name);
        validateHeaderValue(name, value);
      } catch (error) {
        throw new RangeError(`header '${name}' cannot be sent: ${String(error)}`, { cause: error });
      }
      return [lower, value];
    }),
  );
}

/** What came of a request of which nothing was written. */
export function unsent(error: string): Exchange {
  return {
    sentWallMs: null,
    durationMs: 0,
    status: null,
    error,
    headers: null,
    body: null,
    bodyBytes: 0,
    redirects: [],
  };
}
