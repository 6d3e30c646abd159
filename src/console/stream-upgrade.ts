import type { IncomingMessage } from "node:http";
import type { RawData, WebSocket } from "ws";
import type { Upgrade } from "../servers/index.js";
import type { LivePicture } from "./live-pictures.js";
import { LiveStream } from "./live-stream.js";
import type { LiveSource } from "./live-source.js";
import { STREAM_PATH, type StreamHello, type StreamWish } from "./protocol/index.js";

/** Close code: the token is missing or wrong. */
const REFUSED = 4401;

/** Close code: the first message is late. The page of a busy machine tries again. */
const LATE = 4408;

/** Time limit for a client's first message. Wall milliseconds. */
const HELLO_MS = 5000;

/** Largest message from a client, in bytes. */
const MESSAGE_MAX = 4096;

/** Most connections without a first message; beyond it the oldest one is closed. */
const STRANGERS_MAX = 50;

const PING_MS = 30_000;

/**
 * Serves the live stream over WebSocket at `STREAM_PATH`. A client must send the token in its first message, within
 * five seconds.
 *
 * @param options - `admits`: compares a token with that of the control API in constant time; `refusalOf`: the refusal
 *   of a request from a foreign page, undefined: it is admitted; `helloMs`: default five seconds
 */
export async function consoleStream<H>(options: {
  readonly lab: LiveSource<H>;
  /** A path prefix that a proxy may leave in the request; default: none. */
  readonly prefix?: string;
  readonly admits: (token: string) => boolean;
  readonly refusalOf: (request: IncomingMessage, route: string) => { readonly status: number } | undefined;
  readonly helloMs?: number;
}): Promise<Upgrade & { close(): void; pictures(): readonly LivePicture[] }> {
  const { lab, prefix = "", admits, refusalOf, helloMs = HELLO_MS } = options;
  // Imported on demand: most runs offer no console.
  const { WebSocketServer } = await import("ws");
  // No compression: the page is on this machine or near it, and compressing each frame would slow the lab.
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MESSAGE_MAX, perMessageDeflate: false });
  const stream = new LiveStream(lab);
  const strangers = new Set<WebSocket>();
  const silent = new WeakSet<WebSocket>();
  const pings = setInterval(() => {
    for (const socket of sockets.clients) {
      if (silent.has(socket)) socket.terminate();
      silent.add(socket);
      socket.ping();
    }
  }, PING_MS).unref();

  const greet = (socket: WebSocket): void => {
    const [oldest] = strangers.size >= STRANGERS_MAX ? strangers : [];
    oldest?.terminate();
    strangers.add(socket);
    const refuse = (): void => socket.close(REFUSED, "the lab token is missing or wrong");
    const timer = setTimeout(() => socket.close(LATE, `no token within ${helloMs} ms`), helloMs).unref();
    const part = (): void => {
      clearTimeout(timer);
      strangers.delete(socket);
    };
    socket.on("error", () => socket.terminate());
    socket.on("pong", () => silent.delete(socket));
    socket.once("close", part);
    socket.once("message", (data: RawData, isBinary: boolean) => {
      part();
      const hello = isBinary ? undefined : helloIn(data);
      if (hello === undefined || !admits(hello.token)) return refuse();
      socket.on("message", (later: RawData, isLaterBinary: boolean) => {
        const wish = isLaterBinary ? undefined : wishIn(later);
        if (wish === undefined) socket.close(1008, "the stream takes only wishes after its first message");
        else stream.wish(socket, wish);
      });
      socket.once("close", () => stream.wish(socket, { traffic: false }));
      stream.add(socket, hello.resume).catch(() => socket.terminate());
    });
  };

  const isStream = (path: string | undefined): boolean => path === STREAM_PATH || path === prefix + STREAM_PATH;
  return {
    accepts: ({ method, url = "", headers }) =>
      method === "GET" && headers.upgrade?.toLowerCase() === "websocket" && isStream(url.split("?")[0]),
    take(request, socket, head) {
      const refusal = refusalOf(request, STREAM_PATH);
      if (refusal !== undefined) {
        socket.once("finish", () => socket.destroy());
        socket.end(`HTTP/1.1 ${refusal.status} Refused\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
        return;
      }
      sockets.handleUpgrade(request, socket, head, greet);
    },
    pictures: () => stream.pictures,
    close() {
      clearInterval(pings);
      stream.close();
      for (const socket of sockets.clients) socket.terminate();
      sockets.close();
    },
  };
}

function mapIn(data: RawData): Partial<Record<string, unknown>> | undefined {
  let found: unknown;
  try {
    // One message is one buffer unless the server asks for fragments.
    found = JSON.parse((data as Buffer).toString("utf8"));
  } catch {
    return undefined;
  }
  return typeof found === "object" && found !== null ? found : undefined;
}

/** Parses a later message; undefined: it is invalid. */
function wishIn(data: RawData): StreamWish | undefined {
  const traffic = mapIn(data)?.["traffic"];
  return typeof traffic === "boolean" ? { traffic } : undefined;
}

/** Parses the first message; undefined: it is invalid. */
function helloIn(data: RawData): StreamHello | undefined {
  const { token, resume } = mapIn(data) ?? {};
  if (typeof token !== "string") return undefined;
  return { token, ...(isResume(resume) && { resume }) };
}

function isResume(resume: unknown): resume is NonNullable<StreamHello["resume"]> {
  if (typeof resume !== "object" || resume === null) return false;
  const { session, frame } = resume as Partial<Record<string, unknown>>;
  return typeof session === "string" && Number.isSafeInteger(frame);
}
