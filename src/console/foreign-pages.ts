import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";

/** Why a request is not served. */
export interface PageRefusal {
  readonly status: 403 | 421;
  readonly detail: string;
}

/**
 * Refuses requests of web pages that are not the console's. A page elsewhere has another Origin. A page whose name was
 * made to resolve to this machine (DNS rebinding) has a Host that is neither an address nor a name of this server.
 *
 * @param ownName - the name at which the server listens (`--host`)
 * @returns undefined: the request is served
 */
export function foreignPageRefusal(
  { url = "", headers }: Pick<IncomingMessage, "url" | "headers">,
  ownName: string,
): PageRefusal | undefined {
  const { host = "", origin } = headers;
  const isConsole = /^\/+(console|lab)(\/|\?|$)/i.test(url) || url === "/";
  if (origin === undefined && !/^\/+console(\/|\?|$)/i.test(url)) return undefined;
  if (!isKnownHost(host, ownName)) {
    const name = host.slice(0, 100);
    return {
      status: 421,
      detail: `This server does not answer pages as '${name}': open it by its IP address or as localhost, or start it with --host NAME.`,
    };
  }
  if (isConsole && origin !== undefined && !(URL.canParse(origin) && new URL(origin).host === hostOf(host))) {
    return { status: 403, detail: "Pages of other origins may not use the lab." };
  }
  return undefined;
}

/** A host as `URL` writes it: in lower case, without the port 80. */
function hostOf(host: string): string {
  return URL.canParse(`http://${host}`) ? new URL(`http://${host}`).host : host;
}

function isKnownHost(host: string, ownName: string): boolean {
  if (!URL.canParse(`http://${host}`)) return false;
  const { hostname } = new URL(`http://${host}`);
  const name = hostname.replace(/^\[|\]$/g, "");
  return isIP(name) !== 0 || name === "localhost" || name.endsWith(".localhost") || name === ownName.toLowerCase();
}
