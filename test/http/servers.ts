import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { type AddressInfo, createServer as createNetServer, type Server, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** A server on loopback that ends with the test. */
export interface TestServer {
  readonly url: string;
  readonly port: number;
  /** Connections that were ever opened. */
  readonly opened: () => number;
  /** Connections that are open now. */
  readonly open: () => number;
  /** The most that were open at once. */
  readonly peak: () => number;
  close(): Promise<void>;
}

/** A server that does on each connection what it is told; for what no HTTP library would write. */
export function liar(onConnection: (socket: Socket, count: number) => void): Promise<TestServer> {
  let count = 0;
  return listen(createNetServer((socket) => onConnection(socket, ++count)));
}

/** A server that, once a whole request is read, writes the given bytes and leaves the connection open. */
export function says(text: string | Buffer, then?: (socket: Socket) => void): Promise<TestServer> {
  return liar((socket) =>
    onRequest(socket, () => {
      socket.write(text);
      then?.(socket);
    }),
  );
}

/** Calls back for each whole request with a content-length on a connection. */
export function onRequest(socket: Socket, callback: (request: string) => void): void {
  let text = "";
  socket.on("data", (chunk: Buffer) => {
    text += chunk.toString("latin1");
    for (;;) {
      const end = text.indexOf("\r\n\r\n");
      if (end < 0) return;
      const length = end + 4 + Number(/content-length: (\d+)/i.exec(text.slice(0, end))?.[1] ?? 0);
      if (text.length < length) return;
      const request = text.slice(0, length);
      text = text.slice(length);
      callback(request);
    }
  });
}

/** A decent HTTP server. */
export function web(listener: RequestListener): Promise<TestServer> {
  return listen(createServer(listener));
}

export async function listen(server: Server): Promise<TestServer> {
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
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closing ??= new Promise((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
    return closing;
  };
  onTestFinished(close);
  return {
    url: `http://127.0.0.1:${port}/`,
    port,
    opened: () => opened,
    open: () => sockets.size,
    peak: () => peak,
    close,
  };
}

/** A port on which nobody listens. */
export async function deadPort(): Promise<number> {
  const server = await listen(createNetServer());
  await server.close();
  return server.port;
}

/** Waits until something holds that other processes' sockets decide. */
export async function until(holds: () => boolean, what: string): Promise<void> {
  const endsAt = performance.now() + 20_000;
  while (!holds()) {
    if (performance.now() > endsAt) throw new Error(`in vain waited until ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
