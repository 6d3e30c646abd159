import type { IncomingMessage } from "node:http";
import type { WebSocket } from "ws";
import type { Authenticator, RequestCheck } from "../api/index.js";
import type { StreamedHappening } from "../console/index.js";
import type { Happening } from "../lab/index.js";
import type { Upgrade } from "../servers/index.js";
import { formatTimestampZoned } from "../wire/index.js";
import type { Control } from "./control.js";

/** The path of the live log. */
const PATH = "/lab/events/stream";
/** Most bytes buffered for a slow client; beyond that the client is disconnected, as the lab never waits. */
const WAITING_MAX = 4 * 1024 * 1024;
const PING_MS = 30_000;

/**
 * Serves the log as a live stream over WebSocket: `/lab/events/stream`, one JSON object a message. The token is in the
 * Authorization header or, as browsers cannot set it, in `?token=`; a page of another origin is refused. `kinds`
 * (event, attempt, note, call; hand only on request) and `channel` filter the stream.
 */
export async function streamUpgrade({
  control,
  access,
  refusalOf,
  prefix = "",
}: {
  readonly control: Control;
  /** A path prefix that a proxy may leave in the request; default: none. */
  readonly prefix?: string;
  readonly access: Authenticator;
  readonly refusalOf: RequestCheck;
}): Promise<Upgrade & { close(): void }> {
  // Imported on demand: most runs offer no API.
  const { WebSocketServer } = await import("ws");
  const sockets = new WebSocketServer({ noServer: true, maxPayload: 1024, clientTracking: true });
  const pings = setInterval(() => {
    for (const client of sockets.clients) client.ping();
  }, PING_MS);
  pings.unref();
  const isStream = (path: string): boolean => path === PATH || path === prefix + PATH;
  return {
    accepts: ({ method, url, headers }) =>
      method === "GET" && headers.upgrade?.toLowerCase() === "websocket" && isStream(targetOf(url).path),
    take(request, socket, head) {
      const { query } = targetOf(request.url);
      const status = refusalOf(request, PATH)?.status ?? (isAdmitted(request, query, access) ? undefined : 403);
      if (status !== undefined) {
        socket.once("finish", () => socket.destroy());
        socket.end(`HTTP/1.1 ${status} Refused\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
        return;
      }
      sockets.handleUpgrade(request, socket, head, (client) => follow(client, control, query));
    },
    close() {
      clearInterval(pings);
      for (const client of sockets.clients) client.terminate();
      sockets.close();
    },
  };
}

function targetOf(url = "/"): { readonly path: string; readonly query: URLSearchParams } {
  const cut = url.indexOf("?");
  return cut === -1
    ? { path: url, query: new URLSearchParams() }
    : { path: url.slice(0, cut), query: new URLSearchParams(url.slice(cut + 1)) };
}

function isAdmitted(request: IncomingMessage, query: URLSearchParams, access: Authenticator): boolean {
  const token = query.get("token");
  return admits(access, request.headers.authorization ?? (token === null ? undefined : `Token ${token}`));
}

/** Whether a token admits to the control API. @param authorization - the header's value: `Token …` */
export function admits(access: Authenticator, authorization: string | undefined): boolean {
  try {
    access.authenticate(authorization);
    return true;
  } catch {
    return false;
  }
}

function follow(client: WebSocket, control: Control, query: URLSearchParams): void {
  const kinds = new Set((query.get("kinds") ?? "").split(",").filter((word) => word !== ""));
  const channel = query.get("channel");
  const stop = control.parts.followers.follow((happening) => {
    if (kinds.size > 0 ? !kinds.has(happening.kind) : happening.kind === "hand") return;
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

function shown({ startsAtMs }: Control, { atMs, ...rest }: Happening): StreamedHappening {
  return { at: formatTimestampZoned(startsAtMs + atMs), ...rest };
}
