import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import { namedHosts } from "../servers/index.js";

/** Why a request is not served. */
export interface PageRefusal {
  readonly status: 403 | 421;
  readonly detail: string;
}

/** The names of a server beside localhost and IP addresses. */
export interface OwnNames {
  /** Without a port; that of `publicUrl` counts, too. */
  readonly hosts: readonly string[];
  /** Where clients reach the server through a proxy. */
  readonly publicUrl?: string | undefined;
  /** The option by which the user adds a name; absent: there is none. */
  readonly option?: string;
}

/**
 * Refuses requests of web pages that are not the console's. A page elsewhere has another Origin. A page whose name was
 * made to resolve to this machine (DNS rebinding) has a Host that is neither an address nor a name of this server; it
 * can set any other header. So a name that a proxy has passed on admits nobody: each named host must be one of ours.
 *
 * The control API and the console ask this of every request, the REST API only of those with an Origin: programs reach
 * it by any name, such as that of a container.
 *
 * @param route - the path of the route that serves the request; undefined: none does
 * @returns undefined: the request is served
 */
export function foreignPageRefusal(
  request: Pick<IncomingMessage, "url" | "headers" | "socket">,
  route: string | undefined,
  own: OwnNames,
): PageRefusal | undefined {
  const { origin, host = "" } = request.headers;
  const isLab = route !== undefined && /^\/(console|lab)(\/|$)/.test(route);
  if (origin === undefined && !isLab) return undefined;
  const hosts = isLab ? namedHosts(request) : [host];
  const stranger = hosts.find((named) => !isKnownHost(named, own));
  if (stranger !== undefined) {
    const name = stranger.slice(0, 100);
    const option = own.option === undefined ? "" : `, or start it with ${own.option}`;
    return {
      status: 421,
      detail: `This server is not known as '${name}': use its IP address or localhost${option}.`,
    };
  }
  const isPage = isLab || route === "/";
  if (isPage && origin !== undefined && !isOwnOrigin(origin, hosts, own)) {
    return { status: 403, detail: "Pages of other origins may not use the lab." };
  }
  return undefined;
}

function isOwnOrigin(origin: string, hosts: readonly string[], { publicUrl }: OwnNames): boolean {
  if (!URL.canParse(origin)) return false;
  const { protocol, host } = new URL(origin);
  return (
    (publicUrl !== undefined && new URL(publicUrl).origin === origin) ||
    hosts.some((named) => hostOf(named, protocol) === host)
  );
}

/** A host as `URL` writes it: in lower case, without the default port of the scheme. */
function hostOf(host: string, protocol: string): string | undefined {
  const url = `${protocol}//${host}`;
  return URL.canParse(url) ? new URL(url).host : undefined;
}

function isKnownHost(host: string, { hosts, publicUrl }: OwnNames): boolean {
  if (!URL.canParse(`http://${host}`)) return false;
  const url = new URL(`http://${host}`);
  // `a@b`, `a/b` and the like are no hosts.
  if (url.username !== "" || url.password !== "" || url.pathname !== "/" || url.search !== "" || url.hash !== "")
    return false;
  const name = url.hostname.replace(/^\[|\]$/g, "");
  const names = publicUrl === undefined ? hosts : [...hosts, new URL(publicUrl).hostname];
  return (
    isIP(name) !== 0 ||
    name === "localhost" ||
    name.endsWith(".localhost") ||
    names.some((known) => known.toLowerCase() === name)
  );
}
