import { once } from "node:events";
import { createServer } from "node:net";
import type { RunOptions } from "./run-options.js";

/** Stands for a free port in the receiver's URL and in its command. */
const PORT = "{port}";

/** A port that is free now. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" && address !== null ? address.port : 0;
}

/** Options with a free port for each `{port}` in the receiver's URL and its command: the same port in both. */
export async function withFreePort<Options extends Pick<RunOptions, "receiver" | "command">>(
  options: Options,
): Promise<Options> {
  const { receiver, command = [] } = options;
  if (command.length === 0 || ![receiver ?? "", ...command].some((word) => word.includes(PORT))) return options;
  const port = String(await freePort());
  return {
    ...options,
    receiver: (receiver ?? `http://127.0.0.1:${PORT}/`).replaceAll(PORT, port),
    command: command.map((word) => word.replaceAll(PORT, port)),
  };
}
