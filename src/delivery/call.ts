import { type ClientRequest, type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import type { Socket } from "node:net";
import { BodyKeeper, headerLines, MAX_BODY_BYTES } from "./body.js";
import type { Connections, Lease } from "./connections.js";
import { resolveTarget, type Target } from "./target.js";
import type { Exchange } from "./types.js";

/** What a call needs from its sender. */
export interface CallSetting {
  readonly connections: Connections;
  readonly isAllowed: (url: string) => boolean;
  /** Wall milliseconds since the sender was made. */
  readonly wall: () => number;
}

/** What is to be asked. */
export interface CallRequest {
  readonly target: Target;
  readonly body: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly redirects: boolean;
}

/** One request on its way through a chain of redirects. */
interface Hop {
  readonly target: Target;
  /** After 301, 302 or 303 a POST goes on as a GET without its body (webhook.md 1). */
  readonly method: "POST" | "GET";
  readonly headers: Readonly<Record<string, string>>;
}

/** Redirects that are followed before the call counts as failed (webhook.md 1: up to 30). */
const MAX_REDIRECTS = 30;
/** Answers of the kind 1xx that are skipped while the real one is awaited. */
const MAX_INFORMATIONAL = 100;
/** A timer that is set to more fires at once. */
const MAX_TIMER_MS = 0x7fff_ffff;
/** What real clients accept; Node's own default is a quarter of it. */
const MAX_HEADER_BYTES = 64 * 1024;

/**
 * One exchange: a request, the redirects that it leads to, and the answer or the failure that ends it. `done` is
 * called once, and `released` once after it, when the connection is free again or gone.
 */
export class Call {
  readonly #setting: CallSetting;
  readonly #request: CallRequest;
  readonly #done: (exchange: Exchange) => void;
  readonly #released: () => void;
  readonly #startedMs: number;
  readonly #timer: NodeJS.Timeout;
  readonly #redirects: string[] = [];
  #sentMs: number | null = null;
  #hop: Hop;
  /** The hop that follows as soon as the connection is free. */
  #nextHop: Hop | undefined;
  #http: ClientRequest | undefined;
  #answer: IncomingMessage | undefined;
  #body = new BodyKeeper();
  #informationalCount = 0;
  /** What the connection had received before this hop: it may be a kept one. */
  #bytesReadBefore = 0;
  #isSettled = false;
  #isAnswered = false;
  /** The connection was a kept one, and broke before anything came. */
  #isStale = false;

  constructor(
    setting: CallSetting,
    request: CallRequest,
    callbacks: { readonly done: (exchange: Exchange) => void; readonly released: () => void },
  ) {
    this.#setting = setting;
    this.#request = request;
    this.#done = callbacks.done;
    this.#released = callbacks.released;
    this.#startedMs = setting.wall();
    // One turn of the event loop more: an answer that came while the process was busy elsewhere is read before that.
    this.#timer = setTimeout(
      () => setImmediate(() => this.fail("ETIMEDOUT")),
      Math.min(request.timeoutMs, MAX_TIMER_MS),
    );
    this.#hop = { target: request.target, method: "POST", headers: request.headers };
    this.#ask();
  }

  /** Ends the call without an answer; does nothing when it has ended. */
  fail(error: string): void {
    this.#settle({ status: null, error });
    this.#http?.destroy();
  }

  #ask(): void {
    const { target, method, headers } = this.#hop;
    const body = method === "POST" ? this.#request.body : "";
    this.#answer = undefined;
    this.#body = new BodyKeeper();
    const lease = this.#setting.connections.lend(target);
    let http: ClientRequest;
    try {
      http = (target.secure ? requestHttps : requestHttp)({
        method,
        host: target.host,
        port: target.port,
        path: target.path,
        ...(target.auth === undefined ? {} : { auth: target.auth }),
        headers: method === "POST" ? { ...headers, "content-length": Buffer.byteLength(body) } : headers,
        agent: lease.agent,
        maxHeaderSize: MAX_HEADER_BYTES,
      });
    } catch (error) {
      // Not reached with what the sender has checked; a surprise must still end in a record.
      this.#http = undefined;
      process.nextTick(() => {
        this.fail(codeOf(error));
        lease.end(undefined, "failed", this.#released);
      });
      return;
    }
    this.#http = http;
    http.once("socket", (socket) => this.#onSocket(socket));
    http.on("information", () => {
      if (++this.#informationalCount > MAX_INFORMATIONAL) this.fail("too-many-1xx");
    });
    http.once("response", (answer) => this.#onAnswer(answer));
    // Nobody asked for another protocol.
    http.once("upgrade", () => this.fail("unexpected-upgrade"));
    http.on("error", (error) => this.#onBroken(error));
    http.once("close", () => this.#onClosed(http, lease));
    http.end(body);
  }

  #onSocket(socket: Socket): void {
    this.#bytesReadBefore = socket.bytesRead;
    const sent = (): void => {
      this.#sentMs ??= this.#setting.wall();
    };
    if (socket.connecting) socket.once(this.#hop.target.secure ? "secureConnect" : "connect", sent);
    else sent();
  }

  #onAnswer(answer: IncomingMessage): void {
    this.#answer = answer;
    const body = this.#body;
    answer.on("data", (chunk: Uint8Array) => {
      body.add(chunk);
      if (body.bytes > MAX_BODY_BYTES) this.fail("body-too-large");
    });
    answer.once("end", () => {
      if (answer.complete) this.#onComplete(answer);
    });
    answer.on("error", (error) => this.#onBroken(error));
  }

  #onComplete(answer: IncomingMessage): void {
    if (this.#isSettled || this.#nextHop !== undefined) return;
    const status = answer.statusCode ?? 0;
    const location = answer.headers.location;
    if (this.#request.redirects && location !== undefined && isRedirect(status)) this.#redirect(status, location);
    else this.#settle({ status, error: null });
    // An answer that came before the request was read leaves a connection that nobody can use.
    if (this.#http?.writableFinished === false) this.#http.destroy();
  }

  #redirect(status: number, location: string): void {
    const from = this.#hop;
    // Node gives the bytes of a header as Latin-1; a path beyond ASCII is UTF-8 these days.
    const target = resolveTarget(Buffer.from(location, "latin1").toString(), from.target);
    if (target === null) return this.fail("bad-redirect");
    if (!this.#setting.isAllowed(target.url)) return this.fail("redirect-not-allowed");
    if (this.#redirects.length === MAX_REDIRECTS) return this.fail("too-many-redirects");
    this.#redirects.push(target.url);
    const method = status >= 307 ? from.method : "GET";
    const isElsewhere = target.origin !== from.target.origin;
    const headers = Object.entries(from.headers).filter(
      ([name]) => !(method === "GET" && name === "content-type") && !(isElsewhere && secrets.has(name)),
    );
    // The credentials of an address stay with its origin, like every client's.
    const auth = target.auth ?? (isElsewhere ? undefined : from.target.auth);
    this.#nextHop = { target: { ...target, auth }, method, headers: Object.fromEntries(headers) };
  }

  #onBroken(error: unknown): void {
    const answer = this.#answer;
    // What follows a whole answer (surplus bytes, a reset) does not make it less whole; its `end` is still to come.
    if (this.#isSettled || answer?.complete === true) return;
    const hasBytes = answer !== undefined || (this.#http?.socket?.bytesRead ?? 0) > this.#bytesReadBefore;
    this.#isStale = this.#http?.reusedSocket === true && !hasBytes;
    const code = codeOf(error);
    // Node says ECONNRESET also where the other side closed in good order; we tell them apart.
    if (code !== "ECONNRESET" || isReset(error)) this.fail(code);
    else this.fail(hasBytes ? "incomplete-answer" : "no-answer");
  }

  #onClosed(http: ClientRequest, lease: Lease): void {
    const answer = this.#answer;
    const next = this.#nextHop;
    if (next === undefined && !this.#isSettled && answer?.complete === true && !answer.closed) {
      // The whole answer is here, but not yet read to its end.
      answer.once("close", () => this.#onClosed(http, lease));
      return;
    }
    if (next !== undefined && !this.#isSettled) {
      lease.end(http, "passed", () => {
        if (this.#isSettled) return this.#released();
        this.#nextHop = undefined;
        this.#hop = next;
        this.#ask();
      });
      return;
    }
    // Not reached without an outcome as far as we know; a surprise must still end in a record.
    this.fail(answer === undefined ? "no-answer" : "incomplete-answer");
    lease.end(http, this.#isStale ? "stale" : this.#isAnswered ? "answered" : "failed", this.#released);
  }

  #settle(
    result: { readonly status: number; readonly error: null } | { readonly status: null; readonly error: string },
  ): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    this.#isAnswered = result.status !== null;
    clearTimeout(this.#timer);
    const answer = this.#answer;
    this.#done({
      sentWallMs: this.#sentMs,
      durationMs: this.#setting.wall() - (this.#sentMs ?? this.#startedMs),
      ...result,
      headers: answer === undefined ? null : headerLines(answer.rawHeaders),
      body: answer === undefined ? null : this.#body.beginning(answer.headers["content-encoding"]),
      bodyBytes: this.#body.bytes,
      redirects: this.#redirects,
    });
  }
}

/** Headers that are for one origin only. */
const secrets = new Set(["authorization", "cookie", "host"]);

function isRedirect(status: number): boolean {
  return status === 301 || status === 302 || status === 303 || status === 307 || status === 308;
}

function isReset(error: unknown): boolean {
  return typeof error === "object" && error !== null && "syscall" in error;
}

/** The stable code of an error, or its name where it has none. */
function codeOf(error: unknown): string {
  if (error === undefined) return "ECONNRESET";
  if (typeof error === "object" && error !== null && "code" in error && typeof error.code === "string")
    return error.code;
  return error instanceof Error ? error.name : "unknown";
}
