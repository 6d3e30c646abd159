import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Access } from "./access.js";
import { answer, type Answer, methodsOf } from "./answer.js";
import { Call, type Desk } from "./call.js";
import { ApiError, refusal } from "./error.js";
import { operationsOf } from "./openapi.js";
import type { Resource } from "./resource.js";
import type { Throttle } from "./throttle.js";

/** What requests are held against. */
export interface Gate {
  /** Asked for each request: a reset may replace it. */
  readonly desk: () => Desk;
  readonly access: () => Access;
  readonly throttle: Throttle;
  readonly isStrict: () => boolean;
  /** Called when a request begins; returns what is to be called when it is answered. */
  readonly entered: () => () => void;
}

const everyMethod = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/** Serves a resource at `/api/v2/<name>.json`, with and without a slash behind it (service-api.md 1.1). */
export function serveResource(server: FastifyInstance, resource: Resource, gate: Gate): void {
  const methods = methodsOf(resource);
  const allow = [...methods, "OPTIONS"].join(", ");
  const handler = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    reply.header("allow", allow);
    return send(reply, await admitted(resource, request, gate));
  };
  const url = `/api/v2/${resource.name}.json`;
  const documented = operationsOf(resource);
  for (const { method, schema } of documented) server.route({ method, url, schema, handler, exposeHeadRoute: false });
  const others = everyMethod.filter((method) => !documented.some((operation) => operation.method === method));
  server.route({ method: others, url, schema: { hide: true }, handler });
  server.route({ method: everyMethod, url: `${url}/`, schema: { hide: true }, handler, exposeHeadRoute: false });
}

/** Everything that comes before the method, in the order of service-api.md 1.5. */
async function admitted(resource: Resource, request: FastifyRequest, gate: Gate): Promise<Answer> {
  const leave = gate.entered();
  try {
    refuseOtherTypes(request.headers.accept);
    const role = gate.access().roleOf(request.headers.authorization);
    const isLetIn = role === "administrator" || role === "editor" || (role === "surveyor" && resource.forSurveyors);
    if (!isLetIn) throw refusal(403, "You do not have permission to perform this action.");
    gate.throttle.take(resource.scope);
    const path = request.raw.url ?? "";
    const cut = path.indexOf("?");
    const call = new Call({
      desk: gate.desk(),
      role,
      isStrict: gate.isStrict(),
      method: request.method,
      url: `${originOf(request)}${cut === -1 ? path : path.slice(0, cut)}`,
      path,
      query: new URLSearchParams(cut === -1 ? "" : path.slice(cut + 1)),
    });
    const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    return await answer(resource, call, { bytes, contentType: request.headers["content-type"] });
  } finally {
    leave();
  }
}

/** What the client accepts must include JSON (service-api.md 1.4). */
function refuseOtherTypes(accept: string | undefined): void {
  if (accept === undefined || accept === "") return;
  const accepts = accept.split(",").some((range) => {
    const [type = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
    return (
      ["application/json", "application/*", "*/*"].includes(type) && !parameters.some((one) => /^q=0(\.0*)?$/.test(one))
    );
  });
  if (!accepts) throw refusal(406, "Could not satisfy the request Accept header.");
}

/** Scheme and host as the client sees them: links then work behind a proxy, too. */
function originOf(request: FastifyRequest): string {
  const { host = "" } = request.headers;
  const address = request.socket.localAddress ?? "127.0.0.1";
  const own = `${address.includes(":") ? `[${address}]` : address}:${request.socket.localPort ?? 80}`;
  return `${request.protocol}://${/^[\w.:[\]-]+$/.test(host) ? host : own}`;
}

function send(reply: FastifyReply, { status, body }: Answer): FastifyReply {
  reply.code(status).header("vary", "Accept");
  if (body === undefined) return reply.send();
  return reply.header("content-type", "application/json").send(JSON.stringify(body));
}

/** The one place where failures become answers. */
export function answerError(error: unknown, reply: FastifyReply): FastifyReply {
  if (error instanceof ApiError) return send(reply.headers(error.headers), { status: error.status, body: error.body });
  const status = statusOf(error);
  if (status === 413) return send(reply, { status, body: { detail: "The body is too large." } });
  if (status !== undefined) return send(reply, { status, body: { detail: messageOf(error) } });
  // Real systems answer a defect with one plain sentence (service-api.md 1.5).
  process.emitWarning(error instanceof Error ? error : new Error(String(error)));
  return reply.code(500).type("text/plain").send("Server error: this is a defect of handset-lab.");
}

/** The framework's own refusals: a body that breaks off, a header too long… */
function statusOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !("statusCode" in error)) return undefined;
  const { statusCode } = error;
  return typeof statusCode === "number" && statusCode >= 400 && statusCode < 500 ? statusCode : undefined;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
