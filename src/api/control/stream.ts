import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";
import { formatTimestampZoned } from "../../wire/index.js";
import type { Access } from "../access.js";
import type { Control, Happening } from "./port.js";

/** Where the live log is offered. */
const PATH = "/lab/events/stream";
/** Bytes that may wait for a slow client; one that is slower is dropped, the lab never waits. */
const WAITING_MAX = 4 * 1024 * 1024;
const PING_MS = 30_000;

/**
 * Offers the log as a live stream over WebSocket: `/lab/events/stream`, one JSON object a message. The token comes in
 * the Authorization header or, as browsers cannot set it, as `?token=`; a page of another origin is refused. `kinds`
 * (event, attempt, note, call) and `channel` restrict what comes.
 */
export async function offerStream(
  server: Server,
  { control, access }: { control: Control; access: Access },
): Promise<{ close(): void }> {
  // Loaded when it is needed: most runs offer no API.
  const { WebSocketServer } = await import("ws");
  const sockets = new WebSocketServer({ noServer: true, maxPayload: 1024, clientTracking: true });
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // From here on the socket is nobody's but ours: without this, a reset would end the process.
    socket.on("error", () => socket.destroy());
    const target = request.url ?? "/";
    const cut = target.indexOf("?");
    const path = cut === -1 ? target : target.slice(0, cut);
    const query = new URLSearchParams(cut === -1 ? "" : target.slice(cut + 1));
    const refusal = path === PATH ? refusalOf(request, query, access) : "404 Not Found";
    if (refusal !== undefined) {
      socket.once("finish", () => socket.destroy());
      socket.end(`HTTP/1.1 ${refusal}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
      return;
    }
    sockets.handleUpgrade(request, socket, head, (client) => follow(client, control, query));
  });
  const pings = setInterval(() => {
    for (const client of sockets.clients) client.ping();
  }, PING_MS);
  pings.unref();
  return {
    close() {
      clearInterval(pings);
      for (const client of sockets.clients) client.terminate();
      sockets.close();
    },
  };
}

/** Status line of the refusal; undefined: let in. */
function refusalOf(request: IncomingMessage, query: URLSearchParams, access: Access): string | undefined {
  const { origin, host, authorization } = request.headers;
  if (origin !== undefined && (!URL.canParse(origin) || new URL(origin).host !== host)) return "403 Forbidden";
  const token = query.get("token");
  try {
    access.roleOf(authorization ?? (token === null ? undefined : `Token ${token}`));
    return undefined;
  } catch {
    return "403 Forbidden";
  }
}

function follow(client: WebSocket, control: Control, query: URLSearchParams): void {
  const kinds = new Set((query.get("kinds") ?? "").split(",").filter((word) => word !== ""));
  const channel = query.get("channel");
  const stop = control.follow((happening) => {
    if (kinds.size > 0 && !kinds.has(happening.kind)) return;
    if (channel !== null && "channel" in happening && String(happening.channel) !== channel) return;
    if (client.readyState !== client.OPEN) return;
    if (client.bufferedAmount > WAITING_MAX) {
      client.close(1013, "too slow: reconnect, and read what was missed from /lab/events");
      return;
    }
    client.send(JSON.stringify(shown(control, happening)));
  });
  client.once("close", stop);
  client.on("error", () => client.terminate());
}

function shown({ startsAtMs }: Control, { atMs, ...rest }: Happening): Record<string, unknown> {
  return { at: formatTimestampZoned(startsAtMs + atMs), ...rest };
}
