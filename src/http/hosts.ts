import { isLocalhost } from "./loopback-lookup.js";
import { parseTarget, type Target } from "./url-target.js";

/**
 * Whether a URL names this machine: `localhost` and names below it, 127.0.0.0/8 or ::1. False for a text that is no http
 * or https URL.
 */
export function isLoopback(url: string): boolean {
  const target = parseTarget(url);
  return target !== null && isLoopbackHost(target.host);
}

/**
 * Guards against load on a foreign server: allows loopback and the named hosts only.
 *
 * @param names - `name` (any port) or `name:port`; case does not matter; IPv6 in brackets when a port follows
 */
export function allowedHosts(names: readonly string[]): (url: string) => boolean {
  const allowed = new Set(names.map((name) => name.trim().toLowerCase()));
  return (url) => {
    const target = parseTarget(url);
    if (target === null) return false;
    return isLoopbackHost(target.host) || spellingsOf(target).some((spelling) => allowed.has(spelling));
  };
}

function isLoopbackHost(host: string): boolean {
  return isLocalhost(host) || /^127(\.\d+){3}$/.test(host) || host === "::1";
}

function spellingsOf({ host, port }: Target): string[] {
  return host.includes(":") ? [host, `[${host}]`, `[${host}]:${port}`] : [host, `${host}:${port}`];
}
