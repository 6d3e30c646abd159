import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import { namedHosts } from "../servers/index.js";

/** The refusal of a request. */
export interface PageRefusal {
  readonly status: 403 | 421;
  readonly detail: string;
}

/** Host names of a server beside localhost and IP addresses. */
export interface OwnNames {
  /** Without ports. The host of `publicUrl` is added. */
  readonly hosts: readonly string[];
  /** URL at which clients reach the server through a proxy. */
  readonly publicUrl?: string | undefined;
  /** The option by which the user adds a name; absent: there is none. */
  readonly option?: string;
}

/**
 * Refuses requests of foreign web pages. A foreign page has another Origin. With DNS rebinding its Host is neither an
 * address nor a name of this server, but it can set any other header. So a forwarded host name does not admit a
 * request: each named host must be a name of this server.
 *
 * The control API and the console check every request, the REST API only those with an Origin: programs reach it by any
 * name, such as a container's.
 *
 * @param route - the path of the route that serves the request; undefined: there is no such route
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
  // `a@b`, `a/b` and similar values are not hosts.
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
