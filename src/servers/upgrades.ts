import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

/** A protocol that a server offers beside HTTP. */
export interface Upgrade {
  /** Whether a request asks for this protocol. */
  accepts(request: IncomingMessage): boolean;
  /** Takes over the connection. @param head - bytes that followed the request */
  take(request: IncomingMessage, socket: Duplex, head: Buffer): void;
}

/** Headers that a request without `Upgrade` does not have (RFC 9110, 7.8; RFC 7540, 3.2.1). */
const UPGRADE_HEADERS: ReadonlySet<string> = new Set(["upgrade", "http2-settings"]);

/**
 * From this major version on, Node reads the body of a request to upgrade itself. A connection that is given back would
 * lack it, so Node answers such requests, and drops the bytes behind them: their connections end with the answer.
 */
const READS_BODIES_FROM = 26;

/**
 * Answers each request with an `Upgrade` header as if it had none, as RFC 9110, 7.8 allows. Clients that offer HTTP/2
 * send `Upgrade: h2c` with every first request. Call it before the server listens.
 *
 * Without a listener for `upgrade`, Node ignores the header too, but drops the bytes behind the request: a pipelined
 * request gets no answer. With a listener, Node gives up the connection for any such request. So the listener gives the
 * connection back to the server, with the request's bytes in front and without the header.
 *
 * @param offered - the one protocol that requests may upgrade to
 */
export function answerUpgrades(server: Server, offered?: Upgrade): void {
  const pending = new PendingAnswers(server);
  const isTaken = (request: IncomingMessage): boolean => !hasBody(request) && offered?.accepts(request) === true;
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
      if (isTaken(request)) return offered?.take(request, socket, head);
      socket.off("error", destroy);
      // An answer before this one may have left its own timeout on the connection.
      request.socket.setTimeout(0);
      socket.unshift(Buffer.concat([headWithoutUpgrade(request), head]));
      server.emit("connection", socket);
    });
  });
}

/** Answers that are still to be written, by connection: a pipelined request must not overtake them. */
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

  /** Calls back when all requests before have been answered: at once where none waits. */
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
