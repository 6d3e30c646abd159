import type { Socket } from "node:net";
import { serveTcp, type TestServer } from "../support/server.js";

/** A server that writes these bytes after each complete request, and leaves the connection open. */
export function says(text: string | Buffer, then?: (socket: Socket) => void): Promise<TestServer> {
  return serveTcp((socket) =>
    onRequest(socket, () => {
      socket.write(text);
      then?.(socket);
    }),
  );
}

/** Calls back for each complete request of a connection; a request has a content-length, or no body. */
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
