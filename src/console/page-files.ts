import { existsSync } from "node:fs";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { compiledModule } from "../base/index.js";
import { prefixOf, publicUrlOf } from "../servers/index.js";
import type { ReportFiles } from "./report-files.js";

/** Path of the page. */
export const CONSOLE_PATH = "/console";

/** The page connects only to its server, runs no inline script, and cannot be framed. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'none'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const headers = {
  "content-security-policy": policy,
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=()",
  // A cache must not give a compressed copy to a client that cannot read it.
  vary: "accept-encoding",
};

/**
 * Serves the built page. Files in `assets/` have a hash in their names, so browsers cache them; they revalidate the
 * others. Only files that existed at the start are served.
 *
 * @param options - `publicUrl`: URL at which clients reach the server through a proxy
 */
export function serveConsolePage(
  server: FastifyInstance,
  { reports, publicUrl }: { readonly reports?: ReportFiles | undefined; readonly publicUrl?: string | undefined },
): void {
  reports?.serveAt(server, CONSOLE_PATH);
  const root = compiledModule("console/page");
  const isBuilt = existsSync(join(root, "index.html"));
  void server.register(async (page) => {
    page.addHook("onRequest", (request, reply, next) => {
      reply.headers(headers);
      const { url = "" } = request.raw;
      const isPage = request.routeOptions.url === `${CONSOLE_PATH}/`;
      // Without the slash, the page's relative links would lead elsewhere.
      if (isPage && !/\/(\?|$)/.test(url)) {
        void reply.redirect(`${prefixOf(publicUrlOf(request.raw, publicUrl))}${CONSOLE_PATH}/`);
      } else next();
    });
    if (!isBuilt) {
      page.get(`${CONSOLE_PATH}/`, { schema: { hide: true } }, (_request, reply) =>
        reply.code(404).type("text/plain").send("The console's page is not built: run npm run build."),
      );
      return;
    }
    const { default: fastifyStatic } = await import("@fastify/static");
    await page.register(fastifyStatic, {
      root,
      prefix: `${CONSOLE_PATH}/`,
      schemaHide: true,
      decorateReply: false,
      wildcard: false,
      preCompressed: true,
      cacheControl: false,
      setHeaders: (response, path) => {
        const isHashed = path.includes("/assets/");
        response.setHeader("cache-control", isHashed ? "public, max-age=31536000, immutable" : "no-cache");
      },
    });
  });
}
