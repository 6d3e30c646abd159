import { randomBytes, timingSafeEqual } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { FastifyInstance } from "fastify";

/** A report runs in a sandbox, so that its scripts cannot read the console's token. */
const policy = "sandbox allow-scripts allow-popups allow-downloads; frame-ancestors 'none'; base-uri 'none'";

/**
 * Serves a run's report to users of the console. A link cannot contain the token, so the path has a random key, which
 * only the stream sends.
 */
export class ReportFiles {
  readonly #key = randomBytes(20).toString("hex");
  #path = "";
  #file: string | undefined;

  /** Registers the route of reports under a path. */
  serveAt(server: FastifyInstance, path: string): void {
    this.#path = `${path}/report`;
    server.get<{ Params: { key: string } }>(
      `${this.#path}/:key`,
      { schema: { hide: true } },
      async ({ params }, reply) => {
        if (this.#file === undefined || !isSame(params.key, this.#key)) return reply.callNotFound();
        return reply
          .headers({ "content-security-policy": policy, "referrer-policy": "no-referrer", "cache-control": "no-store" })
          .type("text/html; charset=utf-8")
          .send(await readFile(this.#file));
      },
    );
  }

  /** Makes a report file available. @returns its path on the server */
  addReport(file: string): string {
    this.#file = file;
    return `${this.#path}/${this.#key}`;
  }
}

function isSame(a: string, b: string): boolean {
  const [one, other] = [Buffer.from(a), Buffer.from(b)];
  return one.length === other.length && timingSafeEqual(one, other);
}
