import fastifySwagger from "@fastify/swagger";
import Fastify, { type FastifyInstance } from "fastify";
import { resources } from "./resources/index.js";
import { answerError, type Gate, serveResource } from "./routes.js";

/** Bytes of a request body at most; nothing that the API takes comes near. */
const BODY_BYTES_MAX = 1024 * 1024;

/** What the API's server is made with. */
export interface ApiOptions extends Gate {
  /** For the documentation. */
  readonly version: string;
  /** Other routes beside the API's own: the control API. */
  readonly more?: (server: FastifyInstance) => void;
}

/** The REST API as a server that does not listen yet. */
export async function apiServer(options: ApiOptions): Promise<FastifyInstance> {
  const server = Fastify({
    bodyLimit: BODY_BYTES_MAX,
    forceCloseConnections: true,
    exposeHeadRoutes: false,
    routerOptions: { querystringParser: () => ({}) },
    clientErrorHandler: (_error, socket) => {
      if (socket.writable) socket.end(malformed);
    },
  });
  // Bodies are read by the resource's own fields, when it is their turn; answers are checked by tests, not on the way.
  server.removeAllContentTypeParsers();
  server.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
  server.setValidatorCompiler(() => () => true);
  server.setSerializerCompiler(() => (data) => JSON.stringify(data));
  server.setErrorHandler((error, _request, reply) => answerError(error, reply));
  server.setNotFoundHandler((_request, reply) => reply.code(404).send({ detail: "Not found." }));
  await server.register(fastifySwagger, {
    openapi: {
      openapi: "3.1.0",
      info: {
        title: "Messaging service, emulated by Handset Lab",
        version: options.version,
        description: "REST API v2: contacts, groups, messages, broadcasts, flows, campaigns, channels.",
      },
      components: {
        securitySchemes: {
          token: { type: "apiKey", in: "header", name: "Authorization", description: "`Token` and the token" },
        },
      },
      tags: resources.map(({ name, about }) => ({ name, description: about })),
    },
  });
  server.after(() => {
    for (const resource of resources) serveResource(server, resource, options);
    options.more?.(server);
  });
  server.get("/api/v2/openapi.json", { schema: { hide: true } }, () => server.swagger());
  await server.ready();
  return server;
}

const malformedBody = JSON.stringify({ detail: "The request is not HTTP." });
const malformed = [
  "HTTP/1.1 400 Bad Request",
  "content-type: application/json",
  `content-length: ${malformedBody.length}`,
  "connection: close",
  "",
  malformedBody,
].join("\r\n");
