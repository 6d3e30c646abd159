import { type IncomingMessage, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import { ownTarget, prefixOf, publicUrlOf } from "../servers/index.js";
import { detailError } from "./error.js";
import { serveExplorer } from "./explorer/index.js";
import { documentOptions } from "./openapi.js";
import { resources } from "./resources/index.js";
import { answerError, type RouteDependencies, serveResources } from "./routes.js";

/** Maximum size of a request body in bytes. */
const BODY_BYTES_MAX = 1024 * 1024;

/** Wall milliseconds in which a request must have arrived completely. */
const REQUEST_MS_MAX = 60_000;

/** Options of the API's server. */
export interface ApiOptions extends RouteDependencies {
  /** For the documentation. */
  readonly version: string;
  /** Adds routes to the API's own: the control API. */
  readonly extraRoutes?: (server: FastifyInstance) => void;
  /** Refuses requests before anything else looks at them. */
  readonly refusalOf?: RequestCheck;
}

/**
 * Why a request is refused; undefined: it is served.
 *
 * @param route - the path of the route that serves it, such as `/lab/clock`; undefined: none does. Its target can be
 *   spelled in several ways (`/%6cab/clock`).
 */
export type RequestCheck = (
  request: IncomingMessage,
  route: string | undefined,
) => { readonly status: number; readonly detail: string } | undefined;

/** Creates the server of the REST API; it does not listen yet. */
export async function apiServer(options: ApiOptions): Promise<FastifyInstance> {
  // Loaded on demand: most runs offer no API.
  const [{ default: fastify }, { default: fastifySwagger }] = await Promise.all([
    import("fastify"),
    import("@fastify/swagger"),
  ]);
  const prefix = options.publicUrl === undefined ? "" : prefixOf(options.publicUrl);
  const server = fastify({
    bodyLimit: BODY_BYTES_MAX,
    requestTimeout: REQUEST_MS_MAX,
    forceCloseConnections: true,
    exposeHeadRoutes: false,
    rewriteUrl: ({ url = "/" }) => ownTarget(url, prefix),
    routerOptions: { querystringParser: () => ({}), ignoreTrailingSlash: true },
    frameworkErrors: (error, _request, reply) => void answerError(error, reply),
    clientErrorHandler: (error, socket) => answerParserError(error, socket),
  });
  // `answerRequest` parses bodies; tests check responses against the schemas. Fastify does neither.
  server.removeAllContentTypeParsers();
  server.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
  server.setValidatorCompiler(() => () => true);
  server.setSerializerCompiler(() => (data) => JSON.stringify(data));
  server.setNotFoundHandler((_request, reply) => answerError(detailError(404, "Not found."), reply));
  server.setErrorHandler((error, _request, reply) => answerError(error, reply));
  server.addHook("onRequest", (request, reply, next) => {
    reply.header("x-content-type-options", "nosniff");
    const refusal = options.refusalOf?.(request.raw, request.is404 ? undefined : request.routeOptions.url);
    if (refusal !== undefined) throw detailError(refusal.status, refusal.detail);
    next();
  });
  await server.register(fastifySwagger, documentOptions({ version: options.version, resources }));
  await server.after();
  // Not in a callback of `after`: there the error of a route that is declared twice becomes a timeout without its name.
  serveExplorer(server, options.publicUrl);
  serveResources(server, resources, options);
  options.extraRoutes?.(server);
  let document: string | undefined;
  server.get("/api/v2/openapi.json", { schema: { hide: true } }, (request, reply) => {
    const publicUrl = publicUrlOf(request.raw, options.publicUrl);
    // The paths are relative to the document's host, which is the lab's own unless a proxy has another one.
    const isOwn = publicUrl === `http://${request.headers.host}`;
    const content = isOwn ? (document ??= JSON.stringify(server.swagger())) : documentAt(publicUrl, server);
    return reply.header("content-type", "application/json").send(content);
  });
  await server.ready();
  return server;
}

/** The document, which says at which address the server is reached. */
function documentAt(publicUrl: string, server: FastifyInstance): string {
  return JSON.stringify({ ...server.swagger(), servers: [{ url: publicUrl, description: "This lab" }] });
}

/** Answers a request that Node's HTTP parser refuses, in the API's error shape; it never reaches a route. */
function answerParserError(error: Error & { readonly code?: string }, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) return;
  const status = parserErrorStatuses[error.code ?? ""] ?? 400;
  const body = JSON.stringify({ detail: `${STATUS_CODES[status] ?? "Bad Request"}.` });
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}`,
      "content-type: application/json",
      `content-length: ${Buffer.byteLength(body)}`,
      "connection: close",
      "",
      body,
    ].join("\r\n"),
  );
}

const parserErrorStatuses: Readonly<Record<string, number>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  HPE_HEADER_OVERFLOW: 431,
};
