import type { AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";
import { LabError } from "../base/index.js";
import { refusalOfAddress } from "../servers/index.js";

/** Where a server listens. */
export interface ListenAddress {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
}

/** The purpose of an address, in the words of messages. */
export interface AddressPurpose {
  /** `listen`, `offer metrics`. */
  readonly verb: string;
  /** How to correct the error. @param isTaken - another process listens there */
  readonly hint: (isTaken: boolean) => string;
}

/**
 * Makes a server listen.
 *
 * @returns its URL, without a trailing slash
 * @throws LabError `port-taken`; the server is closed then
 */
export async function listenAt(
  server: FastifyInstance,
  address: ListenAddress,
  purpose: AddressPurpose,
): Promise<string> {
  const { host, port } = address;
  try {
    await server.listen({ host, port });
  } catch (error) {
    await server.close();
    throw cannotListen(address, purpose, error);
  }
  const { port: taken } = server.server.address() as AddressInfo;
  return `http://${host.includes(":") ? `[${host}]` : host}:${taken}`;
}

/**
 * Checks that a server can listen at an address, before the lab is created. Another program may still take the address
 * before `listenAt`.
 *
 * @throws LabError `port-taken`
 */
export async function checkAddress(address: ListenAddress, purpose: AddressPurpose): Promise<void> {
  const error = await refusalOfAddress(address);
  if (error !== undefined) throw cannotListen(address, purpose, error);
}

function cannotListen({ host, port }: ListenAddress, { verb, hint }: AddressPurpose, error: unknown): LabError {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return new LabError("port-taken", `cannot ${verb} at ${host}:${port} (${code})`, {
    hint: hint(code === "EADDRINUSE"),
    cause: error,
  });
}
