import { createServer } from "node:net";

/** Why no server can listen at an address now; undefined: one can. It listens there for a moment. */
export function refusalOfAddress(address: {
  readonly host: string;
  readonly port: number;
}): Promise<Error | undefined> {
  return new Promise((resolve) => {
    const server = createServer((socket) => socket.destroy());
    server.once("error", resolve);
    server.listen(address, () => server.close(() => resolve(undefined)));
  });
}
