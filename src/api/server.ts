import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import { detailError } from "./error.js";
import { serveExplorer } from "./explorer/index.js";
import { documentOptions } from "./openapi.js";
import { resources } from "./resources/index.js";
import { answerError, type RouteDependencies, serveResources } from "./routes.js";

/** Bytes of a request body at most; nothing that the API takes comes near. */
const BODY_BYTES_MAX = 1024 * 1024;

/** A request that has not come in whole by then is given up. */
const REQUEST_MS_MAX = 60_000;

/** What the API's server is made with. */
export interface ApiOptions extends RouteDependencies {
  /** For the documentation. */
  readonly version: string;
  /** Other routes beside the API's own: the control API. */
  readonly extraRoutes?: (server: FastifyInstance) => void;
}

/** The REST API as a server that does not listen yet. */
export async function apiServer(options: ApiOptions): Promise<FastifyInstance> {
  // Loaded when they are needed: most runs offer no API.
  const [{ fastify }, { fastifySwagger }] = await Promise.all([import("fastify"), import("@fastify/swagger")]);
  const server = fastify({
    bodyLimit: BODY_BYTES_MAX,
    requestTimeout: REQUEST_MS_MAX,
    forceCloseConnections: true,
    exposeHeadRoutes: false,
    // Clients whose host ends in a slash ask for `//api/v2/…`.
    rewriteUrl: ({ url = "/" }) => url.replace(/^\/{2,}/, "/"),
    routerOptions: { querystringParser: () => ({}), ignoreTrailingSlash: true },
    frameworkErrors: (error, _request, reply) => void answerError(error, reply),
    clientErrorHandler: (error, socket) => answerParserError(error, socket),
  });
  // Bodies are read by the resource's own fields, when it is their turn; answers are checked by tests, not on the way.
  server.removeAllContentTypeParsers();
  server.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
  server.setValidatorCompiler(() => () => true);
  server.setSerializerCompiler(() => (data) => JSON.stringify(data));
  server.setNotFoundHandler((_request, reply) => answerError(detailError(404, "Not found."), reply));
  server.setErrorHandler((error, _request, reply) => answerError(error, reply));
  server.addHook("onRequest", (_request, reply, next) => {
    reply.header("x-content-type-options", "nosniff");
    next();
  });
  await server.register(fastifySwagger, documentOptions({ version: options.version, resources }));
  await serveExplorer(server);
  server.after(() => {
    serveResources(server, resources, options);
    options.extraRoutes?.(server);
  });
  let document: string | undefined;
  server.get("/api/v2/openapi.json", { schema: { hide: true } }, (_request, reply) => {
    document ??= JSON.stringify(server.swagger());
    return reply.header("content-type", "application/json").send(document);
  });
  await server.ready();
  return server;
}

/** What Node's parser refuses never gets as far as a route; the answer has the same shape all the same. */
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
