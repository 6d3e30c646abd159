import { Agent, type IncomingHttpHeaders, request as httpRequest } from "node:http";
import type { Request } from "./request.js";

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Sends requests over persistent connections. */
export interface Sender {
  /** @throws Error when no complete answer arrived within the timeout */
  send(request: Request): Promise<Answer>;
  close(): void;
}

/** From this size on a service may close the connection during a body that it refuses. */
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
        // The server may refuse and close the connection while a large body is still being sent.
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
          // A persistent connection may have been closed just before, and a reset can overtake the previous answer.
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
