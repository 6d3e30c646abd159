import { once } from "node:events";
import { createServer as createHttpServer, type RequestListener } from "node:http";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** A server that listens on 127.0.0.1. */
export interface TestServer {
  /** `http://127.0.0.1:PORT/` */
  readonly url: string;
  readonly port: number;
  /** Number of connections since the start. */
  readonly opened: () => number;
  /** Number of open connections. */
  readonly open: () => number;
  /** Highest number of connections that were open at one time. */
  readonly peak: () => number;
  /** Stops listening and destroys the open connections. */
  readonly close: () => Promise<void>;
}

/** Starts an HTTP server that the end of the test closes. */
export function serveHttp(listener: RequestListener): Promise<TestServer> {
  return listen(createHttpServer(listener));
}

/** Starts a TCP server that the end of the test closes. @param onConnection - `count` counts connections from 1 */
export function serveTcp(onConnection: (socket: Socket, count: number) => void): Promise<TestServer> {
  let count = 0;
  return listen(createServer((socket) => onConnection(socket, ++count)));
}

/** Lets a server listen on a free port until the end of the test. */
export async function listen(server: Server): Promise<TestServer> {
  const started = await startServer(server);
  onTestFinished(started.close);
  return started;
}

/** Lets a server listen until the caller closes it: for `beforeAll`, where no test runs. @param port - 0: any free one */
export async function startServer(server: Server, port = 0): Promise<TestServer> {
  const sockets = new Set<Socket>();
  let opened = 0;
  let peak = 0;
  server.on("connection", (socket: Socket) => {
    opened++;
    sockets.add(socket);
    peak = Math.max(peak, sockets.size);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => socket.destroy());
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const address = server.address() as AddressInfo;
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closing ??= new Promise((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
    return closing;
  };
  return {
    url: `http://127.0.0.1:${address.port}/`,
    port: address.port,
    opened: () => opened,
    open: () => sockets.size,
    peak: () => peak,
    close,
  };
}

/** Finds a port on which no server listens. */
export async function freePort(): Promise<number> {
  const server = await startServer(createServer());
  await server.close();
  return server.port;
}
