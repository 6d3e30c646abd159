import { lookup } from "node:dns/promises";
import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * Listens at a host: at `localhost` on each of its addresses, as a client may try either loopback address first.
 *
 * @param open - creates a server
 * @param port - 0: a free one
 * @throws the operating system's error when the first address cannot be listened at
 */
export async function listen(
  open: () => Server,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<{ readonly port: number; readonly servers: readonly Server[] }> {
  const first = await listening(open(), host, port);
  const bound = first.address() as AddressInfo;
  if (host !== "localhost") return { port: bound.port, servers: [first] };
  const addresses = await lookup(host, { all: true }).catch(() => []);
  const others = addresses
    .filter(({ address }) => address !== bound.address)
    .map(({ address }) => listening(open(), address, bound.port).catch(() => undefined));
  const servers = [first, ...(await Promise.all(others)).filter((server) => server !== undefined)];
  return { port: bound.port, servers };
}

async function listening(server: Server, host: string, port: number): Promise<Server> {
  server.listen({ host, port });
  await once(server, "listening");
  return server;
}
