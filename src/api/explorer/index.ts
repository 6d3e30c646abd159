/** The explorer: a page on which each operation can be tried with the token against live data. */
import type { FastifyInstance } from "fastify";
import { icon } from "./icon.js";
import { script } from "./script.js";
import { style } from "./style.js";

/** Where the explorer is. */
export const EXPLORER_PATH = "/api/v2/explorer";

/** The page may load from its own server and ask it, and nobody else; the pictures in its style sheet are data URLs. */
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

/** Serves the explorer. The document that it shows is the one that the server's routes make. */
export async function serveExplorer(server: FastifyInstance): Promise<void> {
  const { fastifySwaggerUi } = await import("@fastify/swagger-ui");
  await server.register(fastifySwaggerUi, {
    routePrefix: EXPLORER_PATH,
    staticCSP: policy,
    uiHooks: {
      onRequest: (_request, reply, next) => {
        reply.header("referrer-policy", "no-referrer");
        next();
      },
    },
    uiConfig: {
      layout: "BaseLayout",
      deepLinking: true,
      docExpansion: "list",
      defaultModelsExpandDepth: -1,
      defaultModelExpandDepth: 3,
      displayRequestDuration: true,
      filter: true,
      validatorUrl: null,
      // The texts of these functions are sent to the page; what they call there is in the script below.
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
}

/** What the script gives the page. */
interface ExplorerPage {
  readonly handsetLab: { readonly sign: (request: object) => object; readonly plugin: object };
}
