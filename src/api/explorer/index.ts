/** The explorer: a page that tries each operation with the token on live data. */

import type { StaticDocumentSpec } from "@fastify/swagger";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { prefixOf, publicUrlOf } from "../../servers/index.js";
import { script } from "./script.js";
import { style } from "./style.js";

/** Path of the explorer. */
export const EXPLORER_PATH = "/api/v2/explorer";

/** Content security policy: the page uses its own server only; its style sheet has data-URL images. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/**
 * Serves the explorer of the document that the server's routes describe. Its own server, which loads Swagger UI, is made
 * at the first request: it takes a tenth of the start, and most labs never show it.
 *
 * @param publicUrl - see `RouteDependencies`
 */
export function serveExplorer(server: FastifyInstance, publicUrl?: string): void {
  let explorer: Promise<FastifyInstance> | undefined;
  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    explorer ??= explorerServer(server, publicUrl);
    const { url, headers } = request;
    const { statusCode, headers: given, rawPayload } = await (await explorer).inject({ method: "GET", url, headers });
    if (statusCode === 404) return reply.callNotFound();
    for (const name of OWN_HEADERS) delete given[name];
    return reply.code(statusCode).headers(given).send(rawPayload);
  };
  for (const path of [EXPLORER_PATH, `${EXPLORER_PATH}/*`]) server.get(path, { schema: { hide: true } }, answer);
}

/** Headers that each server sends for its own connections. */
const OWN_HEADERS = ["connection", "date", "keep-alive", "transfer-encoding"];

/** A server that does not listen, with Swagger UI at the explorer's path. */
async function explorerServer(documented: FastifyInstance, publicUrl?: string): Promise<FastifyInstance> {
  const [{ default: fastify }, { default: fastifySwagger }, { fastifySwaggerUi }] = await Promise.all([
    import("fastify"),
    import("@fastify/swagger"),
    import("@fastify/swagger-ui"),
  ]);
  const server = fastify({ exposeHeadRoutes: false, routerOptions: { ignoreTrailingSlash: true } });
  // Its types know OpenAPI 3.0 only; it passes the document on.
  const document = documented.swagger() as StaticDocumentSpec["document"];
  await server.register(fastifySwagger, { mode: "static", specification: { document } });
  await server.register(fastifySwaggerUi, {
    routePrefix: EXPLORER_PATH,
    staticCSP: policy,
    uiHooks: {
      onRequest: (request, reply, next) => {
        reply.header("referrer-policy", "no-referrer");
        const isPage = request.routeOptions.url === EXPLORER_PATH || request.routeOptions.url === `${EXPLORER_PATH}/`;
        // Without the slash, the page's links would lack the prefix of a proxy.
        if (isPage && !/\/(\?|$)/.test(request.raw.url ?? "")) {
          void reply.redirect(`${prefixOf(publicUrlOf(request.raw, publicUrl))}${EXPLORER_PATH}/`);
        } else next();
      },
    },
    // Relative to the page: it works at the public URL and, on this machine, at the server's own address.
    transformSpecification: (document, request) => ({
      ...document,
      tags: orderedTags(document["tags"] as readonly NamedTag[] | undefined),
      servers: [{ url: prefixOf(publicUrlOf(request.raw, publicUrl)) || "/", description: "This lab" }],
    }),
    transformSpecificationClone: false,
    uiConfig: {
      layout: "BaseLayout",
      deepLinking: true,
      docExpansion: "list",
      defaultModelsExpandDepth: -1,
      defaultModelExpandDepth: 3,
      displayRequestDuration: true,
      filter: true,
      validatorUrl: null,
      // Swagger UI sends the source of these functions to the page, where script.ts defines what they call.
      requestInterceptor: (request: object) => (globalThis as unknown as ExplorerPage).handsetLab.sign(request),
      plugins: [() => (globalThis as unknown as ExplorerPage).handsetLab.plugin],
    },
    logo: { type: "image/svg+xml", content: icon },
    theme: {
      title: "API explorer · Handset Lab",
      css: [{ filename: "explorer.css", content: style }],
      js: [{ filename: "explorer.js", content: script }],
      favicon: [{ filename: "icon.svg", rel: "icon", type: "image/svg+xml", sizes: "any", content: icon }],
    },
  });
  await server.ready();
  return server;
}

interface NamedTag {
  readonly name: string;
}

/** What most people come for is first, then the others as they are documented. */
const FIRST_TAGS = ["messages", "contacts", "broadcasts", "flows", "flow_starts", "runs"];

function orderedTags(tags: readonly NamedTag[] = []): NamedTag[] {
  const first = FIRST_TAGS.flatMap((name) => tags.filter((tag) => tag.name === name));
  return [...first, ...tags.filter(({ name }) => !FIRST_TAGS.includes(name))];
}

/** The global object that script.ts defines in the page. */
interface ExplorerPage {
  readonly handsetLab: { readonly sign: (request: object) => object; readonly plugin: object };
}

/** A handset, as the page's icon: an SVG. */
const icon: string = [
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">',
  '<rect x="8" y="2" width="16" height="28" rx="3.5" fill="#17324d"/>',
  '<rect x="10.5" y="6" width="11" height="17" rx="1" fill="#e9f5f2"/>',
  '<path d="M12.5 19.5v-3M16 19.5v-6M19.5 19.5v-9" stroke="#0f8a6b" stroke-width="2" stroke-linecap="round"/>',
  '<circle cx="16" cy="26.5" r="1.4" fill="#e9f5f2"/>',
  "</svg>",
].join("");
