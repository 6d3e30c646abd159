import type { AddressInfo } from "node:net";
import { type ApiOptions, apiServer } from "../api/index.js";
import { LabError } from "../base/index.js";
import { answerUpgrades } from "../servers/index.js";
import { type Control, type ControlGate, serveControl, streamUpgrade } from "./control/index.js";

/** A listening API server. */
export interface Listening {
  /** Without a trailing slash. */
  readonly url: string;
  readonly port: number;
  /** Stops listening and ends all connections; may be called twice. */
  close(): Promise<void>;
}

/**
 * Offers the REST API, and the control API where there is something to control.
 *
 * @throws LabError `port-taken` when the server cannot listen at the address
 */
export async function listen(
  options: Omit<ApiOptions, "more">,
  address: { readonly host: string; readonly port: number },
  control?: Omit<ControlGate, "context"> & { readonly control: Control },
): Promise<Listening> {
  const { host, port } = address;
  const server = await apiServer({
    ...options,
    ...(control !== undefined && { extraRoutes: (to) => serveControl(to, { ...control, context: options.context }) }),
  });
  const stream = control === undefined ? undefined : await streamUpgrade(control);
  answerUpgrades(server.server, stream);
  try {
    await server.listen({ host, port });
  } catch (error) {
    await server.close();
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    throw new LabError("port-taken", `cannot listen at ${host}:${port} (${code})`, {
      hint:
        code === "EADDRINUSE"
          ? "something else listens there: choose another with --port"
          : "choose another host or port",
      cause: error,
    });
  }
  const { port: taken } = server.server.address() as AddressInfo;
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${taken}`,
    port: taken,
    async close() {
      stream?.close();
      await server.close();
    },
  };
}
