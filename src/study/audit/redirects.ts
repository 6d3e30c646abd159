import type { Exchange } from "./exchange.js";

/** What an address is called where people log in first. */
const asksForLogin = /log-?in|sign-?in|auth|sso|session/i;

/**
 * The page to which an answer leads after an event was done, as web frameworks answer a form. Undefined: it leads to
 * another address for the event itself (301, the same path with a slash or by https), to a login, or to another host.
 */
export function pageAfter({ status, headers }: Exchange, from: URL): URL | undefined {
  const location = headers["location"];
  if ((status !== 302 && status !== 303) || typeof location !== "string" || !URL.canParse(location, from)) {
    return undefined;
  }
  const page = new URL(location, from);
  if (page.host !== from.host || page.protocol !== from.protocol) return undefined;
  if (bare(page) === bare(from) || asksForLogin.test(page.pathname)) return undefined;
  return page;
}

function bare({ pathname }: URL): string {
  return pathname.replace(/\/+$/, "");
}
