import { createServer, request, type IncomingMessage } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { onTestFinished } from "vitest";

interface ProxyOptions {
  /** The path below which the server is; it is taken off what is passed on. */
  readonly prefix: string;
  /** Leaves the prefix in front of what is passed on. */
  readonly keepsPrefix?: boolean;
  /** Passes the client's Host on; default: the server's own. */
  readonly keepsHost?: boolean;
  /** Headers that are added. */
  readonly headers?: (client: IncomingMessage) => Readonly<Record<string, string>>;
}

/**
 * A reverse proxy on this machine, also for WebSockets, until the test ends.
 *
 * @param target - origin of the server; a function where it begins later
 * @returns its origin
 */
export async function proxyOf(
  target: string | (() => string),
  { prefix, keepsPrefix = false, keepsHost = false, headers = () => ({}) }: ProxyOptions,
): Promise<string> {
  const passOn = (client: IncomingMessage) => {
    const own = new URL(typeof target === "string" ? target : target());
    return request({
      host: own.hostname,
      port: own.port,
      method: client.method,
      path: keepsPrefix ? client.url : (client.url?.slice(prefix.length) ?? "") || "/",
      headers: { ...client.headers, ...(!keepsHost && { host: own.host }), ...headers(client) },
    });
  };
  const sockets = new Set<Socket>();
  const server = createServer((client, answer) => {
    if (!client.url?.startsWith(prefix)) return void answer.writeHead(404).end();
    client.pipe(
      passOn(client)
        .on("error", () => answer.destroy())
        .on("response", (response) => {
          answer.writeHead(response.statusCode ?? 502, response.headers);
          response.pipe(answer);
        }),
    );
  });
  server.on("upgrade", (client: IncomingMessage, socket: Socket) => {
    passOn(client)
      .on("error", () => socket.destroy())
      .on("response", () => socket.destroy())
      .on("upgrade", (response: IncomingMessage, upstream: Socket) => {
        const lines = Object.entries(response.headers).map(([name, value]) => `${name}: ${String(value)}`);
        socket.write(["HTTP/1.1 101 Switching Protocols", ...lines, "", ""].join("\r\n"));
        socket.on("error", () => upstream.destroy()).on("close", () => upstream.destroy());
        upstream.on("error", () => socket.destroy()).on("close", () => socket.destroy());
        upstream.pipe(socket).pipe(upstream);
      })
      .end();
  });
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
