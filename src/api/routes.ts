import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { prefixOf, publicUrlOf } from "../servers/index.js";
import { StoreError } from "../store/index.js";
import type { Role } from "../wire/index.js";
import type { Authenticator } from "./authenticator.js";
import { answerRequest, type ApiAnswer, methodsOf, methodNotAllowed } from "./answer-request.js";
import { ApiRequest, type ApiContext } from "./api-request.js";
import { ApiError, detailError } from "./error.js";
import { EXPLORER_PATH } from "./explorer/index.js";
import { operationsOf } from "./openapi.js";
import type { Resource } from "./resource.js";
import type { ThrottleScope, Throttle } from "./throttle.js";

/** What the routes need to authorize and answer a request. */
export interface RouteDependencies {
  /** Called for each request, because a reset replaces the account. */
  readonly context: () => ApiContext | Promise<ApiContext>;
  readonly authenticator: () => Authenticator;
  readonly throttle: Throttle;
  readonly isStrict: () => boolean;
  /** Called when a request begins, with whether it can change the account; the result is called when it ends. */
  readonly beginRequest?: (mayWrite: boolean) => () => void;
  /** Where `/` leads; default: the explorer. */
  readonly home?: string;
  /** Where clients reach the server, without a slash at the end; default: as each request says (`publicUrlOf`). */
  readonly publicUrl?: string;
}

/** What `authorizeRequest` keeps of a request: the authenticated role, and the body's type. */
interface Authorized {
  readonly role: Role;
  readonly contentType: string | undefined;
}

declare module "fastify" {
  interface FastifyRequest {
    authorized: Authorized | undefined;
  }
}

/** Who may use a path, and under which scope its requests are counted. */
interface AccessRule {
  readonly scope: ThrottleScope;
  readonly forSurveyors: boolean;
  /** The Allow header. */
  readonly allow: string;
  readonly isExtension?: true;
}

const base = "/api/v2";

/**
 * The organisation's number in the header that real systems send (docs/reference/service-api.md#authentication): there
 * is one organisation.
 */
const ORGANISATION = "1";

/**
 * Serves the resources at `/api/v2/<name>.json` and their index (docs/reference/service-api.md#paths). The checks that
 * come before the method (docs/reference/service-api.md#status-codes) run before the body is read.
 */
export function serveResources(
  server: FastifyInstance,
  resources: readonly Resource[],
  dependencies: RouteDependencies,
): void {
  server.decorateRequest("authorized", undefined);
  const rules = new Map([
    ...resources.map((resource) => [`${base}/${resource.name}.json`, accessRuleOf(resource)] as const),
    [`${base}/.json`, indexRule],
    [base, indexRule],
  ]);
  server.addHook("onRequest", (request, reply, next) => {
    reply.header("vary", "Accept");
    if (!request.is404) return next();
    const rule = rules.get(addressOf(request).path.replace(/\/$/, ""));
    if (rule === undefined) throw detailError(404, "Not found.");
    authorizeRequest(rule, request, reply, dependencies);
    throw methodNotAllowed(request.method);
  });
  for (const resource of resources) serveResource(server, resource, dependencies);
  serveIndex(server, resources, dependencies);
}

function accessRuleOf(resource: Resource): AccessRule {
  return { ...resource, allow: [...methodsOf(resource), "OPTIONS"].join(", ") };
}

function serveResource(server: FastifyInstance, resource: Resource, dependencies: RouteDependencies): void {
  const rule = accessRuleOf(resource);
  const url = `${base}/${resource.name}.json`;
  const onRequest = (request: FastifyRequest, reply: FastifyReply, next: () => void): void => {
    authorizeRequest(rule, request, reply, dependencies);
    next();
  };
  const respond = (request: FastifyRequest, reply: FastifyReply, context: ApiContext): FastifyReply => {
    const bytes = Buffer.isBuffer(request.body) ? request.body : emptyBody;
    const body = { bytes, contentType: request.authorized?.contentType };
    return sendAnswer(reply, answerRequest(resource, apiRequestOf(request, context, dependencies), body));
  };
  // No promise when the context is available: a promise costs as much as reading one record.
  const handler = (request: FastifyRequest, reply: FastifyReply): FastifyReply | Promise<FastifyReply> => {
    const context = dependencies.context();
    return context instanceof Promise
      ? context.then((ready) => respond(request, reply, ready))
      : respond(request, reply, context);
  };
  for (const { method, schema } of operationsOf(resource)) {
    server.route({ method, url, schema, onRequest, handler });
    if (method === "GET") server.route({ method: "HEAD", url, schema: { hide: true }, onRequest, handler });
  }
}

const emptyBody = Buffer.alloc(0);

const indexRule: AccessRule = { scope: "others", forSurveyors: true, allow: "GET, HEAD, OPTIONS" };

/**
 * Serves the names of the resources with their URLs; redirects browsers to the explorer
 * (docs/reference/service-api.md#paths).
 */
function serveIndex(server: FastifyInstance, resources: readonly Resource[], dependencies: RouteDependencies): void {
  const schema = { hide: true };
  const method = ["GET", "HEAD"];
  /** Leads to another page of this server; the path is that before a proxy. */
  const redirect = (request: FastifyRequest, reply: FastifyReply, path: string): FastifyReply =>
    reply.redirect(prefixOf(publicUrlOf(request.raw, dependencies.publicUrl)) + path);
  const index = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    authorizeRequest(indexRule, request, reply, dependencies);
    const offered = resources.filter(({ isExtension }) => isExtension !== true || !dependencies.isStrict());
    const publicUrl = publicUrlOf(request.raw, dependencies.publicUrl);
    const entries = offered.map(({ name }) => [name, `${publicUrl}${base}/${name}`]);
    return sendAnswer(reply, { status: 200, body: Object.fromEntries(entries) });
  };
  server.route({ method, url: `${base}/.json`, schema, handler: index });
  server.route({
    method,
    url: `${base}/`,
    schema,
    handler: (request, reply) =>
      request.headers.accept?.includes("text/html") === true
        ? redirect(request, reply, explorer)
        : index(request, reply),
  });
  for (const { name } of resources) {
    server.route({
      method,
      url: `${base}/${name}`,
      schema,
      handler: (request, reply) => redirect(request, reply, `${explorer}#/${name}`),
    });
  }
  const home = dependencies.home ?? explorer;
  server.route({ method, url: "/", schema, handler: (request, reply) => redirect(request, reply, home) });
}

const explorer = `${EXPLORER_PATH}/`;

/**
 * Authorizes a request. Checks in this order: extension, Accept, token, role, rate.
 *
 * @throws ApiError 404, 406, 403, 429
 */
function authorizeRequest(
  rule: AccessRule,
  request: FastifyRequest,
  reply: FastifyReply,
  dependencies: RouteDependencies,
): void {
  // Every response ends with `close`, also when the client has disconnected.
  if (dependencies.beginRequest !== undefined)
    reply.raw.once("close", dependencies.beginRequest(request.method !== "GET" && request.method !== "HEAD"));
  if (rule.isExtension === true && dependencies.isStrict()) throw detailError(404, "Not found.");
  reply.header("allow", rule.allow);
  requireJsonAccepted(request.headers.accept);
  const role = dependencies.authenticator().authenticate(request.headers.authorization);
  reply.header("x-temba-org", ORGANISATION);
  const hasPermission = role === "administrator" || role === "editor" || (role === "surveyor" && rule.forSurveyors);
  if (!hasPermission) throw detailError(403, "You do not have permission to perform this action.");
  dependencies.throttle.countRequest(rule.scope);
  request.authorized = { role, contentType: request.headers["content-type"] };
  // Fastify would check the body's type now; `readBody` checks it later, in the order of
  // docs/reference/service-api.md#status-codes.
  request.raw.headers["content-type"] = undefined;
}

function apiRequestOf(request: FastifyRequest, context: ApiContext, dependencies: RouteDependencies): ApiRequest {
  const { path, search, query } = addressOf(request);
  return new ApiRequest({
    context,
    role: request.authorized?.role ?? "viewer",
    isStrict: dependencies.isStrict(),
    method: request.method,
    site: publicUrlOf(request.raw, dependencies.publicUrl),
    path: `${path}${search}`,
    query,
  });
}

function addressOf(request: FastifyRequest): { path: string; search: string; query: URLSearchParams } {
  const { url: target = "" } = request.raw;
  const cut = target.indexOf("?");
  const [path, search] = cut === -1 ? [target, ""] : [target.slice(0, cut), target.slice(cut)];
  return { path, search, query: new URLSearchParams(search) };
}

/** @throws ApiError 406 when the Accept header excludes JSON (docs/reference/service-api.md#content-types) */
function requireJsonAccepted(accept: string | undefined): void {
  // Fast path for the usual headers.
  if (accept === undefined || accept === "*/*" || accept === "application/json" || accept.trim() === "") return;
  const accepts = accept.split(",").some((range) => {
    const [type = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
    return (
      ["application/json", "application/*", "*/*"].includes(type) && !parameters.some((one) => /^q=0(\.0*)?$/.test(one))
    );
  });
  if (!accepts) throw detailError(406, "Could not satisfy the request Accept header.");
}

function sendAnswer(reply: FastifyReply, { status, body }: ApiAnswer): FastifyReply {
  reply.code(status);
  if (body === undefined) return reply.send();
  return reply.header("content-type", "application/json").send(JSON.stringify(body));
}

/** Sends an error as a response; every error of the API passes through here. */
export function answerError(error: unknown, reply: FastifyReply): FastifyReply {
  if (error instanceof ApiError)
    return sendAnswer(reply.headers(error.headers), { status: error.status, body: error.body });
  const status = statusOf(error);
  if (status !== undefined) return sendAnswer(reply, { status, body: { detail: detailOf(status, error) } });
  if (error instanceof StoreError && diskFailures.has(error.code)) {
    return sendAnswer(reply, { status: 507, body: { detail: `${error.message}.` } });
  }
  // Real systems answer an internal error with one plain sentence (docs/reference/service-api.md#status-codes).
  process.emitWarning(error instanceof Error ? error : new Error(String(error)));
  return reply.code(500).type("text/plain").send("Server error: this is a defect of handset-lab.");
}

/** Store errors of a write that the disk refused; the transaction is rolled back. */
const diskFailures: ReadonlySet<StoreError["code"]> = new Set(["disk-full", "disk-error", "not-writable"]);

/** Status of Fastify's own errors: a body that is too large or incomplete, a URL that cannot be decoded… */
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
