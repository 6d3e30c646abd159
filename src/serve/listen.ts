import type { AddressInfo } from "node:net";
import { type ApiOptions, apiServer, type RequestCheck } from "../api/index.js";
import { LabError } from "../base/index.js";
import {
  CONSOLE_PATH,
  type ConsoleLab,
  consoleStream,
  foreignPageRefusal,
  type OwnNames,
  type ReportFiles,
  serveConsolePage,
} from "../console/index.js";
import type { Happening } from "../lab/index.js";
import { answerUpgrades, prefixOf, refusalOfAddress } from "../servers/index.js";
import { answerMoments, type ControlGate, serveControl, streamUpgrade } from "../control/index.js";

/** A listening API server. */
export interface Listening {
  /** Without a trailing slash. */
  readonly url: string;
  readonly port: number;
  /** Stops listening and ends all connections; may be called twice. */
  close(): Promise<void>;
}

/** What is offered beside the REST API. */
interface ControlledServer extends Omit<ControlGate, "context"> {
  /** The lab as the console shows it. */
  readonly shown: ConsoleLab<Happening>;
  /** Reports to serve; absent: none. */
  readonly reports?: ReportFiles;
  readonly refusalOf?: RequestCheck;
}

/** Where a server listens, and how clients name it. */
interface ServerAddress {
  readonly host: string;
  readonly port: number;
  /** Names of the server beside localhost, IP addresses and `host`; absent: none can be added. */
  readonly ownHosts?: readonly string[];
}

/**
 * Offers the REST API, the control API and the console.
 *
 * @throws LabError `port-taken` when the server cannot listen at the address
 */
export async function listen(
  options: Omit<ApiOptions, "extraRoutes" | "refusalOf" | "home">,
  address: ServerAddress,
  control: ControlledServer,
): Promise<Listening> {
  const { host, port, ownHosts } = address;
  const { access, shown, reports } = control;
  const own: OwnNames = {
    hosts: [host, ...(ownHosts ?? [])],
    publicUrl: options.publicUrl,
    option: ownHosts && "--own-host NAME",
  };
  const isForeign: RequestCheck = (request, route) => foreignPageRefusal(request, route, own);
  const server = await apiServer({
    ...options,
    refusalOf: (request, route) => isForeign(request, route) ?? control.refusalOf?.(request, route),
    home: `${CONSOLE_PATH}/`,
    extraRoutes(to) {
      answerMoments(to, { ...control, apiAccess: options.authenticator, publicUrl: options.publicUrl });
      serveControl(to, { ...control, context: options.context });
      serveConsolePage(to, { reports, publicUrl: options.publicUrl });
    },
  });
  const prefix = options.publicUrl === undefined ? "" : prefixOf(options.publicUrl);
  const streams = [
    await streamUpgrade({ ...control, prefix, refusalOf: isForeign }),
    await consoleStream({ lab: shown, prefix, admits: (token) => isAdmitted(access, token), refusalOf: isForeign }),
  ];
  answerUpgrades(server.server, ...streams);
  try {
    await server.listen({ host, port });
  } catch (error) {
    await server.close();
    throw cannotListen(address, error);
  }
  const { port: taken } = server.server.address() as AddressInfo;
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${taken}`,
    port: taken,
    async close() {
      for (const stream of streams) stream.close();
      await server.close();
    },
  };
}

/**
 * Checks that a server can listen at an address, before there is anything to serve. Another program may still take it
 * before `listen` does.
 *
 * @throws LabError `port-taken`
 */
export async function checkAddress(address: Pick<ServerAddress, "host" | "port">): Promise<void> {
  const error = await refusalOfAddress(address);
  if (error !== undefined) throw cannotListen(address, error);
}

function cannotListen({ host, port }: Pick<ServerAddress, "host" | "port">, error: unknown): LabError {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return new LabError("port-taken", `cannot listen at ${host}:${port} (${code})`, {
    hint:
      code === "EADDRINUSE"
        ? "something else listens there: choose another with --port"
        : "choose another host or port",
    cause: error,
  });
}

function isAdmitted(access: ControlGate["access"], token: string): boolean {
  try {
    access.authenticate(`Token ${token}`);
    return true;
  } catch {
    return false;
  }
}
