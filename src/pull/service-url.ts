import { LabError } from "../base/index.js";

/**
 * The address of a service, without `/api/v2` and without a slash at its end. An address of a part of its API also names
 * the service.
 *
 * @throws LabError `bad-options`
 */
export function serviceUrl(text: string): string {
  const written = text.trim();
  const url = URL.canParse(written) ? new URL(written) : undefined;
  if (url === undefined || (url.protocol !== "http:" && url.protocol !== "https:") || url.hostname === "") {
    const isWithoutScheme = /^[\w.-]+(?::\d+)?(?:\/|$)/.test(written);
    throw new LabError("bad-options", `'${written}' is not the address of a service`, {
      hint: `write ${isWithoutScheme ? `https://${written}` : "it as https://rapidpro.example"}`,
    });
  }
  if (url.username !== "" || url.password !== "") {
    throw new LabError("bad-options", "the address of the service has a user or a password", {
      hint: "the API knows tokens only: remove them, and give the token with --token",
    });
  }
  const path = url.pathname.replace(/\/api(?:\/v\d+(?:\/.*)?)?\/?$/, "").replace(/\/+$/, "");
  return `${url.origin}${path}`;
}

/** Whether an address is on this machine. */
export function isLoopback(service: string): boolean {
  return /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(service).hostname);
}
