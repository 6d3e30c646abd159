import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { StoreError } from "../store/index.js";
import type { Role } from "../wire/index.js";
import type { Authenticator } from "./authenticator.js";
import { answerRequest, type Answer, methodsOf, methodNotAllowed } from "./answer-request.js";
import { ApiRequest, type ApiContext } from "./api-request.js";
import { ApiError, detailError } from "./error.js";
import { EXPLORER_PATH } from "./explorer/index.js";
import { operationsOf } from "./openapi.js";
import type { Resource } from "./resource.js";
import type { Scope, Throttle } from "./throttle.js";

/** What requests are held against. */
export interface RouteDependencies {
  /** Asked for each request: a reset may replace it. */
  readonly context: () => ApiContext | Promise<ApiContext>;
  readonly authenticator: () => Authenticator;
  readonly throttle: Throttle;
  readonly isStrict: () => boolean;
  /** Called when a request begins, with whether it may change something; returns what is to be called when it is answered. */
  readonly beginRequest?: (mayWrite: boolean) => () => void;
}

/** What is kept of a request that was let in. */
interface Authorized {
  readonly role: Role;
  readonly contentType: string | undefined;
}

declare module "fastify" {
  interface FastifyRequest {
    entrant: Authorized | undefined;
  }
}

/** Whom a path lets in, and what is counted for it. */
interface AccessRule {
  readonly scope: Scope;
  readonly forSurveyors: boolean;
  /** The Allow header. */
  readonly allow: string;
  readonly isExtension?: true;
}

const base = "/api/v2";

/** The organisation's number in the header that real systems send (service-api.md 1.2): there is one organisation. */
const ORGANISATION = "1";

/**
 * Serves the resources at `/api/v2/<name>.json` and their index (service-api.md 1.1). All that is asked of a request
 * before its method (service-api.md 1.5) is asked before its body is read.
 */
export function serveResources(server: FastifyInstance, resources: readonly Resource[], gate: RouteDependencies): void {
  server.decorateRequest("entrant", undefined);
  const doors = new Map([
    ...resources.map((resource) => [`${base}/${resource.name}.json`, accessRuleOf(resource)] as const),
    [`${base}/.json`, indexRule],
    [base, indexRule],
  ]);
  server.addHook("onRequest", (request, reply, next) => {
    reply.header("vary", "Accept");
    if (!request.is404) return next();
    const door = doors.get(addressOf(request).path.replace(/\/$/, ""));
    if (door === undefined) throw detailError(404, "Not found.");
    authorizeRequest(door, request, reply, gate);
    throw methodNotAllowed(request.method);
  });
  for (const resource of resources) serveResource(server, resource, gate);
  serveIndex(server, resources, gate);
}

function accessRuleOf(resource: Resource): AccessRule {
  return { ...resource, allow: [...methodsOf(resource), "OPTIONS"].join(", ") };
}

function serveResource(server: FastifyInstance, resource: Resource, gate: RouteDependencies): void {
  const door = accessRuleOf(resource);
  const url = `${base}/${resource.name}.json`;
  const onRequest = (request: FastifyRequest, reply: FastifyReply, next: () => void): void => {
    authorizeRequest(door, request, reply, gate);
    next();
  };
  const respond = (request: FastifyRequest, reply: FastifyReply, context: ApiContext): FastifyReply => {
    const bytes = Buffer.isBuffer(request.body) ? request.body : emptyBody;
    const body = { bytes, contentType: request.entrant?.contentType };
    return sendAnswer(reply, answerRequest(resource, apiRequestOf(request, context, gate), body));
  };
  // Without a promise where there is nothing to wait for: one costs as much as looking a record up.
  const handler = (request: FastifyRequest, reply: FastifyReply): FastifyReply | Promise<FastifyReply> => {
    const context = gate.context();
    return context instanceof Promise
      ? context.then((moved) => respond(request, reply, moved))
      : respond(request, reply, context);
  };
  for (const { method, schema } of operationsOf(resource)) {
    server.route({ method, url, schema, onRequest, handler });
    if (method === "GET") server.route({ method: "HEAD", url, schema: { hide: true }, onRequest, handler });
  }
}

const emptyBody = Buffer.alloc(0);

const indexRule: AccessRule = { scope: "others", forSurveyors: true, allow: "GET, HEAD, OPTIONS" };

/** The names of the resources with their addresses; for people, the explorer (service-api.md 1.1). */
function serveIndex(server: FastifyInstance, resources: readonly Resource[], gate: RouteDependencies): void {
  const schema = { hide: true };
  const method = ["GET", "HEAD"];
  const index = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    authorizeRequest(indexRule, request, reply, gate);
    const offered = resources.filter(({ isExtension }) => isExtension !== true || !gate.isStrict());
    const entries = offered.map(({ name }) => [name, `${originOf(request)}${base}/${name}`]);
    return sendAnswer(reply, { status: 200, body: Object.fromEntries(entries) });
  };
  server.route({ method, url: `${base}/.json`, schema, handler: index });
  server.route({
    method,
    url: `${base}/`,
    schema,
    handler: (request, reply) =>
      request.headers.accept?.includes("text/html") === true ? reply.redirect(explorer) : index(request, reply),
  });
  for (const { name } of resources) {
    server.route({
      method,
      url: `${base}/${name}`,
      schema,
      handler: (_, reply) => reply.redirect(`${explorer}#/${name}`),
    });
  }
  server.route({ method, url: "/", schema, handler: (_, reply) => reply.redirect(explorer) });
}

const explorer = `${EXPLORER_PATH}/`;

/**
 * Lets a request in, or not: Accept, token, role, rate.
 *
 * @throws ApiError 404, 406, 403, 429
 */
function authorizeRequest(
  door: AccessRule,
  request: FastifyRequest,
  reply: FastifyReply,
  gate: RouteDependencies,
): void {
  // Closed is what every answer ends with, those too that nobody waits for any more.
  if (gate.beginRequest !== undefined)
    reply.raw.once("close", gate.beginRequest(request.method !== "GET" && request.method !== "HEAD"));
  if (door.isExtension === true && gate.isStrict()) throw detailError(404, "Not found.");
  reply.header("allow", door.allow);
  requireJsonAccepted(request.headers.accept);
  const role = gate.authenticator().authenticate(request.headers.authorization);
  reply.header("x-temba-org", ORGANISATION);
  const isLetIn = role === "administrator" || role === "editor" || (role === "surveyor" && door.forSurveyors);
  if (!isLetIn) throw detailError(403, "You do not have permission to perform this action.");
  gate.throttle.countRequest(door.scope);
  request.entrant = { role, contentType: request.headers["content-type"] };
  // The framework would judge the body's type now; it is judged when it is its turn.
  request.raw.headers["content-type"] = undefined;
}

function apiRequestOf(request: FastifyRequest, context: ApiContext, gate: RouteDependencies): ApiRequest {
  const { path, search, query } = addressOf(request);
  return new ApiRequest({
    context,
    role: request.entrant?.role ?? "viewer",
    isStrict: gate.isStrict(),
    method: request.method,
    url: `${originOf(request)}${path}`,
    path: `${path}${search}`,
    query,
  });
}

/** What the request line asks for; a proxy's form of it (`GET http://host/path`) too. */
function addressOf(request: FastifyRequest): { path: string; search: string; query: URLSearchParams } {
  const { url = "" } = request.raw;
  const target = url.startsWith("/") ? url : url.replace(/^https?:\/\/[^/?]*/i, "");
  const cut = target.indexOf("?");
  const [path, search] = cut === -1 ? [target, ""] : [target.slice(0, cut), target.slice(cut)];
  return { path, search, query: new URLSearchParams(search) };
}

/** What the client accepts must include JSON (service-api.md 1.4). */
function requireJsonAccepted(accept: string | undefined): void {
  // What most clients say, first.
  if (accept === undefined || accept === "*/*" || accept === "application/json" || accept.trim() === "") return;
  const accepts = accept.split(",").some((range) => {
    const [type = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
    return (
      ["application/json", "application/*", "*/*"].includes(type) && !parameters.some((one) => /^q=0(\.0*)?$/.test(one))
    );
  });
  if (!accepts) throw detailError(406, "Could not satisfy the request Accept header.");
}

/** Scheme and host as the client sees them: links then work behind a proxy, too. */
function originOf(request: FastifyRequest): string {
  const { host = "" } = request.headers;
  return `${request.protocol}://${/^[\w.:[\]-]+$/.test(host) ? host : ownHost(request)}`;
}

function ownHost({ socket }: FastifyRequest): string {
  const address = socket.localAddress ?? "127.0.0.1";
  return `${address.includes(":") ? `[${address}]` : address}:${socket.localPort ?? 80}`;
}

function sendAnswer(reply: FastifyReply, { status, body }: Answer): FastifyReply {
  reply.code(status);
  if (body === undefined) return reply.send();
  return reply.header("content-type", "application/json").send(JSON.stringify(body));
}

/** The one place where failures become answers. */
export function answerError(error: unknown, reply: FastifyReply): FastifyReply {
  if (error instanceof ApiError)
    return sendAnswer(reply.headers(error.headers), { status: error.status, body: error.body });
  const status = statusOf(error);
  if (status !== undefined) return sendAnswer(reply, { status, body: { detail: detailOf(status, error) } });
  if (error instanceof StoreError && diskFailures.has(error.code)) {
    return sendAnswer(reply, { status: 507, body: { detail: `${error.message}.` } });
  }
  // Real systems answer a defect with one plain sentence (service-api.md 1.5).
  process.emitWarning(error instanceof Error ? error : new Error(String(error)));
  return reply.code(500).type("text/plain").send("Server error: this is a defect of handset-lab.");
}

/** The disk does not take what a request changes: nothing of it is in effect. */
const diskFailures: ReadonlySet<StoreError["code"]> = new Set(["disk-full", "disk-error", "not-writable"]);

/** The framework's own refusals: a body that is too large or breaks off, an address that cannot be decoded… */
function statusOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !("statusCode" in error)) return undefined;
  const { statusCode } = error;
  return typeof statusCode === "number" && statusCode >= 400 && statusCode < 500 ? statusCode : undefined;
}

function detailOf(status: number, error: unknown): string {
  if (status === 413) return "The body is too large.";
  if (status === 415) return "Unsupported media type in request.";
  return error instanceof Error ? error.message : String(error);
}
