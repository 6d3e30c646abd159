import { type Asker, codeOf, type Connection, type Peer } from "./connection.js";
import type { Connections } from "./connection-pool.js";
import type { Deadline, Deadlines } from "./deadlines.js";
import { type Headers, type Outline, requestOf } from "./message/request.js";
import { followed, type Hop, isRedirect } from "./redirects.js";
import { type Exchange, NO_REDIRECTS, unsent } from "./http-result.js";

/** What a call needs from its sender. */
export interface CallSetting {
  readonly connections: Connections;
  readonly deadlines: Deadlines;
  /** Whether redirects are followed. */
  readonly redirects: boolean;
  readonly isAllowed: (url: string) => boolean;
  /** Wall milliseconds since the sender was made. */
  readonly clock: () => number;
  readonly routeOf: (hop: Hop) => Route;
  /** A call has left its seat; it is about to say so to whoever has posted. */
  readonly ended: () => void;
}

/** Where a request goes, and what it says before its body. Most calls share one. */
export interface Route extends Hop {
  readonly peer: Peer;
  readonly outline: Outline;
}

/** What is to be asked. */
export interface CallRequest {
  readonly route: Route;
  /** Headers of this request alone, none of which the route has, and the same as lines of text. */
  readonly headers: Headers | undefined;
  readonly lines: string;
  readonly body: string;
  /** > 0. */
  readonly timeoutMs: number;
}

/** Redirects that are followed before the call counts as failed (webhook.md 1: up to 30). */
const MAX_REDIRECTS = 30;

/**
 * One exchange: a request, the redirects that it leads to, and the answer or the failure that ends it. `done` is
 * called once, when the connection was given back.
 */
export class Call implements Asker, Deadline {
  before: Deadline | undefined;
  after: Deadline | undefined;
  readonly timeoutMs: number;
  startedMs = 0;
  readonly #postedMs: number;
  readonly #setting: CallSetting;
  readonly #done: (exchange: Exchange) => void;
  readonly #body: string;
  readonly #headers: Headers | undefined;
  #lines: string;
  #route: Route;
  #sentMs: number | null = null;
  /** Set while a connection is asked: one that is open takes the request there and then. */
  #askedMs: number | undefined;
  #connection: Connection | undefined;
  #redirects: string[] | undefined;
  #isSettled = false;

  constructor(setting: CallSetting, request: CallRequest, done: (exchange: Exchange) => void) {
    this.#setting = setting;
    this.#done = done;
    this.#body = request.body;
    this.#headers = request.headers;
    this.#lines = request.lines;
    this.#route = request.route;
    this.timeoutMs = request.timeoutMs;
    this.#postedMs = setting.clock();
  }

  /** Takes a connection. There must be a seat. */
  start(): void {
    this.startedMs = this.#setting.clock();
    this.#setting.deadlines.add(this);
    this.#ask(this.startedMs);
  }

  /** Ends a call that was never started. */
  abandon(error: string): void {
    this.#done(unsent(error));
  }

  /** Ends a call that was started, and that is no longer among the deadlines. */
  fail(error: string): void {
    this.#settle(null, error);
  }

  request({ use }: Connection): string | Uint8Array {
    const { outline, method } = this.#route;
    this.#sentMs ??= this.#askedMs ?? this.#setting.clock();
    const head = use === "single" ? outline.single : outline.kept;
    return requestOf(head, this.#lines, method === "POST" ? this.#body : null);
  }

  answered({ answer: { head } }: Connection): void {
    const status = head?.status ?? 0;
    const location = head?.location;
    if (location !== undefined && this.#setting.redirects && isRedirect(status)) this.#redirect(status, location);
    else this.#end(status, null);
  }

  broken(error: string): void {
    this.#end(null, error);
  }

  #ask(nowMs: number): void {
    this.#connection = undefined;
    try {
      this.#connection = this.#setting.connections.take(this.#route.peer, nowMs);
    } catch (error) {
      // Not reached with what the sender has checked; a surprise must still end in a record, and not in `post`.
      process.nextTick(() => this.#end(null, codeOf(error)));
      return;
    }
    this.#askedMs = nowMs;
    this.#connection.ask(this);
    this.#askedMs = undefined;
  }

  #redirect(status: number, location: string): void {
    const { connections, clock, routeOf, isAllowed } = this.#setting;
    const from = this.#route;
    const hop = followed({ ...from, headers: { ...from.headers, ...this.#headers } }, status, location);
    if (hop === null) return this.#end(null, "bad-redirect");
    if (!isAllowed(hop.target.url)) return this.#end(null, "redirect-not-allowed");
    this.#redirects ??= [];
    if (this.#redirects.length === MAX_REDIRECTS) return this.#end(null, "too-many-redirects");
    this.#redirects.push(hop.target.url);
    this.#route = routeOf(hop);
    this.#lines = "";
    const nowMs = clock();
    // The next request follows at once, so a connection to a server that is not known yet is not watched first.
    if (this.#connection !== undefined) connections.release(this.#connection, nowMs, { mayWatch: false });
    this.#ask(nowMs);
  }

  #end(status: number | null, error: string | null): void {
    if (this.#isSettled) return;
    this.#setting.deadlines.remove(this);
    this.#settle(status, error);
  }

  #settle(status: number | null, error: string | null): void {
    const { connections, clock, ended } = this.#setting;
    this.#isSettled = true;
    const connection = this.#connection;
    const head = connection?.answer.head;
    const body = connection?.answer.body;
    const nowMs = clock();
    const exchange: Exchange = {
      postedWallMs: this.#postedMs,
      sentWallMs: this.#sentMs,
      durationMs: nowMs - (this.#sentMs ?? this.startedMs),
      status,
      error,
      headers: head === undefined ? null : head.lines,
      body: body === undefined ? null : body.beginning(head?.encoding),
      bodyBytes: body === undefined ? 0 : body.bytes,
      redirects: this.#redirects ?? NO_REDIRECTS,
    };
    this.#connection = undefined;
    if (connection !== undefined) {
      if (status === null) connection.destroy();
      else connections.release(connection, nowMs, { mayWatch: true });
    }
    ended();
    this.#done(exchange);
  }
}
