import type { Socket } from "node:net";
import { serveTcp, type TestServer } from "../support/server.js";

/** A server that, once a whole request is read, writes the given bytes and leaves the connection open. */
export function says(text: string | Buffer, then?: (socket: Socket) => void): Promise<TestServer> {
  return serveTcp((socket) =>
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
