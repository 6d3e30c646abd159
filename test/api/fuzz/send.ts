import { Agent, type IncomingHttpHeaders, request as httpRequest } from "node:http";
import type { Request } from "./request.js";

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Sends requests over connections that are kept open. */
export interface Sender {
  /** @throws Error when no whole answer came within the time */
  send(request: Request): Promise<Answer>;
  close(): void;
}

/** From this size on a service may close the connection in the middle of a body that it refuses. */
const LARGE_BYTES = 1_000_000;

export function sender(baseUrl: string, { inFlight, timeoutMs }: { inFlight: number; timeoutMs: number }): Sender {
  const agent = new Agent({ keepAlive: true, maxSockets: inFlight });
  const { hostname, port } = new URL(baseUrl);

  const once = (request: Request): Promise<Answer> =>
    new Promise((resolve, reject) => {
      let isAnswered = false;
      const outgoing = httpRequest(
        {
          agent,
          hostname,
          port,
          method: request.method,
          path: request.target,
          timeout: timeoutMs,
          headers: { ...request.headers, ...(request.body ? { "content-length": request.body.length } : {}) },
        },
        (incoming) => {
          isAnswered = true;
          const chunks: Buffer[] = [];
          incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
          incoming.on("error", reject);
          incoming.on("end", () => {
            resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: Buffer.concat(chunks) });
          });
        },
      );
      outgoing.on("timeout", () => outgoing.destroy(new Error(`no answer within ${timeoutMs} ms`)));
      outgoing.on("error", (error) => {
        // The server may refuse and hang up while the rest of a large body is still on its way.
        if (!isAnswered) reject(Object.assign(error, { isReused: outgoing.reusedSocket }));
      });
      outgoing.end(request.body);
    });

  return {
    send: async (request) => {
      for (let tries = 1; ; tries++) {
        try {
          return await once(request);
        } catch (error) {
          // A kept connection may have been closed just before, and a hang-up can overtake the answer before it.
          const isReused = (error as { isReused?: boolean }).isReused === true;
          const isLarge = (request.body?.length ?? 0) >= LARGE_BYTES;
          const isTimeout = String(error).includes("no answer");
          if (isTimeout || !(isReused || isLarge) || tries === 5) throw error;
        }
      }
    },
    close: () => agent.destroy(),
  };
}
