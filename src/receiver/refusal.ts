import type { IncomingMessage } from "node:http";

const bodylessMethods: ReadonlySet<string> = new Set(["GET", "HEAD", "TRACE"]);
const bodyMethods: ReadonlySet<string> = new Set(["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "QUERY"]);

/** A request that is not taken for an event, in the words of Fastify, as many web applications answer. */
export interface Refusal {
  readonly statusCode: 400 | 404 | 413;
  readonly error: string;
  readonly message: string;
  readonly code?: string;
}

/** The answer to a body above the bound. */
export const bodyTooLarge: Refusal = {
  statusCode: 413,
  code: "FST_ERR_CTP_BODY_TOO_LARGE",
  error: "Payload Too Large",
  message: "Request body is too large",
};

/** The request's path, decoded, or why the request is refused whatever its body. */
export function routeOf({ method = "", url = "/" }: IncomingMessage): { readonly path: string } | Refusal {
  const local = url.replace(/^https?:\/\/[^/?#]*/i, "");
  let path: string;
  try {
    path = decodeURI(local.replace(/[?#].*$/s, ""));
  } catch {
    const message = `'${local}' is not a valid url component`;
    return { statusCode: 400, error: "Bad Request", code: "FST_ERR_BAD_URL", message };
  }
  if (bodylessMethods.has(method) || bodyMethods.has(method)) return { path };
  return { statusCode: 404, error: "Not Found", message: `Route ${method}:${local} not found` };
}

/** Whether the body of a served request is read. */
export function hasBody({ method = "" }: IncomingMessage): boolean {
  return bodyMethods.has(method);
}
