import type { IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { type ApiOptions, apiServer } from "../api/index.js";
import { LabError } from "../base/index.js";
import {
  CONSOLE_PATH,
  type ConsoleLab,
  consoleStream,
  foreignPageRefusal,
  type ReportFiles,
  serveConsolePage,
} from "../console/index.js";
import type { Happening } from "../lab/index.js";
import { answerUpgrades } from "../servers/index.js";
import { answerMoments, type ControlGate, serveControl, streamUpgrade } from "./control/index.js";

/** A listening API server. */
export interface Listening {
  /** Without a trailing slash. */
  readonly url: string;
  readonly port: number;
  /** Stops listening and ends all connections; may be called twice. */
  close(): Promise<void>;
}

/** Why a request is refused; undefined: it is served. */
type RequestCheck = (request: IncomingMessage) => { readonly status: number; readonly detail: string } | undefined;

/** What is offered beside the REST API. */
interface ControlledServer extends Omit<ControlGate, "context"> {
  /** The lab as the console shows it. */
  readonly shown: ConsoleLab<Happening>;
  /** Reports to serve; absent: none. */
  readonly reports?: ReportFiles;
  readonly refusalOf?: RequestCheck;
}

/**
 * Offers the REST API, the control API and the console.
 *
 * @throws LabError `port-taken` when the server cannot listen at the address
 */
export async function listen(
  options: Omit<ApiOptions, "extraRoutes" | "refusalOf" | "home">,
  address: { readonly host: string; readonly port: number },
  control: ControlledServer,
): Promise<Listening> {
  const { host, port } = address;
  const { access, shown, reports } = control;
  const isForeign: RequestCheck = (request) => foreignPageRefusal(request, host);
  const server = await apiServer({
    ...options,
    refusalOf: (request) => isForeign(request) ?? control.refusalOf?.(request),
    home: `${CONSOLE_PATH}/`,
    extraRoutes(to) {
      answerMoments(to, { ...control, apiAccess: options.authenticator });
      serveControl(to, { ...control, context: options.context });
      serveConsolePage(to, reports);
    },
  });
  const streams = [
    await streamUpgrade(control),
    await consoleStream({ lab: shown, admits: (token) => isAdmitted(access, token), refusalOf: isForeign }),
  ];
  answerUpgrades(server.server, ...streams);
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
      for (const stream of streams) stream.close();
      await server.close();
    },
  };
}

function isAdmitted(access: ControlGate["access"], token: string): boolean {
  try {
    access.authenticate(`Token ${token}`);
    return true;
  } catch {
    return false;
  }
}
