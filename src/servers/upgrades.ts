import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

/** A protocol that a server offers in addition to HTTP. */
export interface Upgrade {
  /** Whether a request asks for this protocol. */
  accepts(request: IncomingMessage): boolean;
  /** Takes over the connection. @param head - bytes that followed the request */
  take(request: IncomingMessage, socket: Duplex, head: Buffer): void;
}

/** Headers to remove from a request that is not upgraded (RFC 9110, 7.8; RFC 7540, 3.2.1). */
const UPGRADE_HEADERS: ReadonlySet<string> = new Set(["upgrade", "http2-settings"]);

/**
 * From this major version on, Node consumes the body of a request with `Upgrade`, so a connection that is returned to
 * the server would lack it. The server therefore answers requests with bodies directly. Node drops the bytes after
 * them, so the answer closes the connection.
 */
const READS_BODIES_FROM = 26;

/**
 * Answers each request with an `Upgrade` header as if it had none, as RFC 9110, 7.8 allows. Clients that offer HTTP/2
 * send `Upgrade: h2c` with every first request. Call it before the server listens.
 *
 * Without a listener for `upgrade`, Node ignores the header too, but drops the bytes after the request: a pipelined
 * request gets no answer. With a listener, Node detaches the socket from the server. So the listener removes the
 * header, puts the request's bytes back in front, and emits the socket as a new connection.
 *
 * @param offered - the protocols that requests may upgrade to: the first that accepts a request takes it
 */
export function answerUpgrades(server: Server, ...offered: readonly Upgrade[]): void {
  const pending = new PendingAnswers(server);
  const takerOf = (request: IncomingMessage): Upgrade | undefined =>
    hasBody(request) ? undefined : offered.find((upgrade) => upgrade.accepts(request));
  if (Number.parseInt(process.versions.node, 10) >= READS_BODIES_FROM) {
    Object.assign(server, { shouldUpgradeCallback: (request: IncomingMessage) => !hasBody(request) });
    server.prependListener("request", (request: IncomingMessage, response: ServerResponse) => {
      if (request.headers.upgrade !== undefined && hasBody(request)) response.shouldKeepAlive = false;
    });
  }
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const destroy = (): void => void socket.destroy();
    // Node has removed its own listener: without this one, a reset would end the process.
    socket.on("error", destroy);
    pending.afterLast(socket, () => {
      if (socket.destroyed) return;
      const taker = takerOf(request);
      if (taker !== undefined) return taker.take(request, socket, head);
      socket.off("error", destroy);
      // An earlier answer may have left its timeout on the connection.
      request.socket.setTimeout(0);
      socket.unshift(Buffer.concat([headWithoutUpgrade(request), head]));
      server.emit("connection", socket);
    });
  });
}

/** Counts unfinished answers by connection, because an upgrade must not overtake the pipelined requests before it. */
class PendingAnswers {
  readonly #counts = new WeakMap<Duplex, number>();
  readonly #waiting = new WeakMap<Duplex, () => void>();

  constructor(server: Server) {
    server.prependListener("request", ({ socket }: IncomingMessage, response: ServerResponse) => {
      this.#counts.set(socket, this.#countOf(socket) + 1);
      response.once("close", () => {
        this.#counts.set(socket, this.#countOf(socket) - 1);
        if (this.#countOf(socket) > 0) return;
        const then = this.#waiting.get(socket);
        this.#waiting.delete(socket);
        then?.();
      });
    });
  }

  /** Calls `then` when all earlier requests of the connection are answered; immediately if none is pending. */
  afterLast(socket: Duplex, then: () => void): void {
    if (this.#countOf(socket) === 0) then();
    else this.#waiting.set(socket, then);
  }

  #countOf(socket: Duplex): number {
    return this.#counts.get(socket) ?? 0;
  }
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

/** The request line and the headers, as bytes. Node decodes both as Latin-1. */
function headWithoutUpgrade({ method = "", url = "", httpVersion, rawHeaders }: IncomingMessage): Buffer {
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const [name = "", value = ""] = rawHeaders.slice(index, index + 2);
    if (UPGRADE_HEADERS.has(name.toLowerCase())) continue;
    const kept = name.toLowerCase() === "connection" ? withoutUpgrade(value) : value;
    if (kept !== undefined) lines.push(`${name}: ${kept}`);
  }
  return Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1");
}

/** A value of `Connection` without the names of removed headers; undefined: nothing is left. */
function withoutUpgrade(value: string): string | undefined {
  const kept = value.split(",").filter((name) => !UPGRADE_HEADERS.has(name.trim().toLowerCase()));
  return kept.length === 0 ? undefined : kept.join(",").trim();
}
