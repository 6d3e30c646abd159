import { connect, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import type { AuditClient, Exchange } from "./client.js";

/** A connection on which bytes are written as a trial wants them. */
export class RawConnection {
  readonly #client: AuditClient;
  readonly #socket: Socket;
  #text = "";
  #isOver = false;
  #failure: string | undefined;
  #wake: () => void = () => undefined;

  constructor(client: AuditClient) {
    this.#client = client;
    const { hostname, port, protocol } = client.url;
    const host = hostname.replace(/^\[|\]$/g, "");
    const isTls = protocol === "https:";
    const number = Number(port === "" ? (isTls ? 443 : 80) : port);
    this.#socket = isTls
      ? connectTls({ host, port: number, servername: host })
      : connect({ host, port: number, noDelay: true });
    this.#socket.on("data", (chunk) => {
      this.#text += chunk.toString("latin1");
      this.#wake();
    });
    this.#socket.on("error", (error) => {
      this.#failure ??= error.message;
    });
    for (const event of ["end", "close"] as const) {
      this.#socket.on(event, () => {
        this.#isOver = true;
        this.#wake();
      });
    }
  }

  /** The head of a POST of a body; header lines replace those of the same name. */
  head(body: string, lines: Readonly<Record<string, string | null>> = {}): string {
    const { pathname, search, host, username, password } = this.#client.url;
    const headers: Record<string, string | null> = {
      Host: host,
      "User-Agent": "RapidPro",
      "Content-Type": "application/x-www-form-urlencoded",
      "Content-Length": String(Buffer.byteLength(body)),
      ...(username !== "" && {
        Authorization: `Basic ${Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString("base64")}`,
      }),
      ...lines,
    };
    const written = Object.entries(headers).flatMap(([name, value]) =>
      value === null ? [] : [`${name}: ${value}\r\n`],
    );
    return `POST ${pathname}${search} HTTP/1.1\r\n${written.join("")}\r\n`;
  }

  /** Writes pieces with waits of wall milliseconds between them. Stops when the server has answered or closed. */
  async write(pieces: readonly string[], betweenMs = 0): Promise<void> {
    for (const [index, piece] of pieces.entries()) {
      if (index > 0 && betweenMs > 0) await sleep(betweenMs);
      if (this.#isOver || this.#socket.destroyed) return;
      this.#socket.write(piece);
    }
  }

  /** Whether anything has come within a time. */
  async hears(withinMs: number): Promise<boolean> {
    if (this.#text === "" && !this.#isOver) await this.#waitAtMost(withinMs);
    return this.#text !== "";
  }

  /** The next answer on the connection; interim ones (100) are skipped. */
  async answer(sent: Exchange["sent"]): Promise<Exchange> {
    const begin = performance.now();
    for (;;) {
      const parsed = parseAnswer(this.#text, this.#isOver);
      if (parsed !== undefined) {
        this.#text = this.#text.slice(parsed.length);
        if (parsed.status >= 100 && parsed.status < 200) continue;
        const { status, headers, body } = parsed;
        const exchange = { sent, status, headers, body, failure: undefined, ms: performance.now() - begin };
        return this.#client.followsPages ? this.#client.followed(exchange) : exchange;
      }
      const leftMs = this.#client.timeoutMs - (performance.now() - begin);
      if (this.#isOver || leftMs <= 0) {
        const seconds = this.#client.timeoutMs / 1000;
        const failure = this.#isOver
          ? `the connection was closed without an answer${this.#failure === undefined ? "" : ` (${this.#failure})`}`
          : `no answer within ${seconds} s`;
        return { sent, status: null, headers: {}, body: "", failure, ms: performance.now() - begin };
      }
      await this.#waitAtMost(leftMs);
    }
  }

  close(): void {
    this.#socket.destroy();
  }

  async #waitAtMost(ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#wake = () => undefined;
  }
}

interface ParsedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Letters that the answer takes. */
  readonly length: number;
}

/** The first whole answer in a text; undefined: it is not whole. */
function parseAnswer(text: string, isOver: boolean): ParsedAnswer | undefined {
  const end = text.indexOf("\r\n\r\n");
  if (end < 0) return undefined;
  const [first = "", ...lines] = text.slice(0, end).split("\r\n");
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(first)?.[1] ?? Number.NaN);
  if (Number.isNaN(status)) return undefined;
  const headers = Object.fromEntries(
    lines.map((line) => [line.split(":")[0]?.toLowerCase() ?? "", line.slice(line.indexOf(":") + 1).trim()]),
  );
  const rest = text.slice(end + 4);
  const done = (body: string, length: number): ParsedAnswer => ({
    status,
    headers,
    body: Buffer.from(body, "latin1").toString("utf8"),
    length: end + 4 + length,
  });
  if (status < 200 || status === 204 || status === 304) return done("", 0);
  if (/chunked/i.test(headers["transfer-encoding"] ?? "")) return chunkedBody(rest, done);
  const given = headers["content-length"];
  if (given === undefined) return isOver ? done(rest, rest.length) : undefined;
  const bytes = Number(given);
  return rest.length >= bytes ? done(rest.slice(0, bytes), bytes) : undefined;
}

function chunkedBody(rest: string, done: (body: string, length: number) => ParsedAnswer): ParsedAnswer | undefined {
  let body = "";
  let at = 0;
  for (;;) {
    const line = rest.indexOf("\r\n", at);
    if (line < 0) return undefined;
    const size = Number.parseInt(rest.slice(at, line), 16);
    if (Number.isNaN(size)) return undefined;
    if (size === 0) {
      const end = rest.indexOf("\r\n", line + 2);
      return end < 0 ? undefined : done(body, end + 2);
    }
    if (rest.length < line + 2 + size + 2) return undefined;
    body += rest.slice(line + 2, line + 2 + size);
    at = line + 2 + size + 2;
  }
}
