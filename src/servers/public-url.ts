import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { isIPv4 } from "node:net";

/** The part of a request that shows where its client has reached the server. */
type Reached = Pick<IncomingMessage, "headers" | "socket">;

/** First segments of the server's own paths: a path in front of them must not begin with one. */
const OWN_SEGMENTS = ["api", "console", "lab"];

/** Segments of a path prefix: characters that need no encoding in a URL (RFC 3986, 2.3), and no dot segments. */
const prefixForm = /^(?:\/(?!\.{1,2}(?:\/|$))[\w.~-]+)*$/;

/** A host with an optional port, as `Host` has it. */
const hostForm = /^[\w.:[\]-]{1,255}$/;

/**
 * Reads the address at which clients reach a server that is behind a proxy: `https://lab.example/handset`.
 *
 * @returns `url`: normalized, without a slash at the end; `fault`: why it is none, and how to correct it
 */
export function readPublicUrl(text: string): { readonly url: string } | { readonly fault: string } {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    return { fault: `it must be an http or https URL such as https://lab.example, got '${text}'` };
  }
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    return { fault: `it must have no name, password, query or #, got '${text}'` };
  }
  const prefix = url.pathname.replace(/\/+$/, "");
  if (!prefixForm.test(prefix)) {
    return { fault: `its path may have letters, digits and . _ ~ - between single slashes, got '${url.pathname}'` };
  }
  if (OWN_SEGMENTS.includes(prefix.split("/")[1] ?? "")) {
    return { fault: `its path must not begin with /api, /console or /lab, which are the lab's own, got '${prefix}'` };
  }
  return { url: url.origin + prefix };
}

/** The path of a public URL, in front of the server's own paths; empty: none. */
export function prefixOf(publicUrl: string): string {
  const path = /^https?:\/\/[^/]*(.*)$/.exec(publicUrl)?.[1] ?? "";
  return path === "/" ? "" : path;
}

/**
 * Where the client of a request reaches the server: scheme, host and path prefix, without a slash at the end. Links that
 * clients follow begin with it. `X-Forwarded-Proto`, `-Host`, `-Port` and `-Prefix` count if a proxy on this machine has
 * sent them; a malformed one counts as absent.
 *
 * @param fixed - the address that the user has named; it overrides everything in the request
 */
export function publicUrlOf(request: Reached, fixed?: string): string {
  if (fixed !== undefined) return fixed;
  const { headers, socket } = request;
  const own = hostOf(headers.host) ?? localHost(socket);
  if (!isForwarded(headers) || !isLoopbackAddress(socket.remoteAddress)) return `http://${own}`;
  const given = firstOf(headers, "x-forwarded-proto")?.toLowerCase();
  const scheme = given === "https" ? "https" : "http";
  const host = hostOf(firstOf(headers, "x-forwarded-host")) ?? own;
  const prefix = firstOf(headers, "x-forwarded-prefix")?.replace(/\/+$/, "") ?? "";
  const url = new URL(`${scheme}://${host}`);
  const port = firstOf(headers, "x-forwarded-port") ?? "";
  if (url.port === "" && /^[1-9]\d{0,4}$/.test(port)) url.port = port;
  return url.origin + (prefixForm.test(prefix) ? prefix : "");
}

/** The headers by which {@link publicUrlOf} finds this address in a request of this machine. */
export function forwardedHeaders(publicUrl: string): Readonly<Record<string, string>> {
  const { protocol, host } = new URL(publicUrl);
  const prefix = prefixOf(publicUrl);
  return {
    "x-forwarded-proto": protocol.slice(0, -1),
    "x-forwarded-host": host,
    ...(prefix !== "" && { "x-forwarded-prefix": prefix }),
  };
}

/**
 * Every host that a request names: in `Host`, in its target if that is a whole URL, and all that proxies on this
 * machine have passed on.
 */
export function namedHosts(request: Reached & { readonly url?: string; readonly originalUrl?: string }): string[] {
  const { headers, socket, url = "", originalUrl = url } = request;
  const target = targetForm.exec(originalUrl)?.[1];
  const passedOn = isLoopbackAddress(socket.remoteAddress) ? listOf(headers, "x-forwarded-host") : [];
  return [headers.host ?? "", ...(target === undefined ? [] : [target]), ...passedOn];
}

/**
 * The path and query of a request's target: without the scheme and host of a proxy's absolute form, and without the
 * prefix of the public URL, which not every proxy takes off. It begins with one slash: clients configured with a host
 * that ends in a slash request `//api/v2/…`.
 */
export function ownTarget(target: string, prefix: string): string {
  const path = rooted(target.replace(targetForm, ""));
  const rest = prefix !== "" && path.startsWith(prefix) ? path.slice(prefix.length) : undefined;
  return rest !== undefined && /^(?:[/?]|$)/.test(rest) ? rooted(rest) : path;
}

/** The scheme and the host of a target in absolute form. */
const targetForm = /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)/i;

function rooted(path: string): string {
  return path === "*" ? path : path.replace(/^\/*/, "/");
}

/** A host that is one, with its port; undefined: absent or malformed. */
function hostOf(text: string | undefined): string | undefined {
  return text !== undefined && hostForm.test(text) && URL.canParse(`http://${text}`) ? text : undefined;
}

function localHost(socket: Reached["socket"]): string {
  const address = socket.localAddress ?? "127.0.0.1";
  return `${address.includes(":") ? `[${address}]` : address}:${socket.localPort ?? 80}`;
}

type ForwardedName = `x-forwarded-${"proto" | "host" | "port" | "prefix"}`;

function isForwarded(headers: IncomingHttpHeaders): boolean {
  return (
    headers["x-forwarded-host"] !== undefined ||
    headers["x-forwarded-proto"] !== undefined ||
    headers["x-forwarded-port"] !== undefined ||
    headers["x-forwarded-prefix"] !== undefined
  );
}

/** The value of the proxy that the client has asked: each proxy appends its own. */
function firstOf(headers: IncomingHttpHeaders, name: ForwardedName): string | undefined {
  return listOf(headers, name)[0];
}

function listOf(headers: IncomingHttpHeaders, name: ForwardedName): string[] {
  return [headers[name] ?? []]
    .flat()
    .flatMap((value) => value.split(","))
    .map((value) => value.trim())
    .filter((value) => value !== "");
}

function isLoopbackAddress(address: string | undefined): boolean {
  const plain = address?.replace(/^::ffff:/, "") ?? "";
  return plain === "::1" || (isIPv4(plain) && plain.startsWith("127."));
}
