import { serveHttp } from "../../support/server.js";

/** A request as it reached the fake. */
export interface Seen {
  readonly method: string;
  /** Path and query, byte for byte. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

export interface Scripted {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A text is sent unchanged, any other value as JSON. */
  readonly body?: unknown;
}

/** A server that answers each request with the next line of its script and records the requests. */
export async function scripted(...script: readonly (Scripted | ((url: string) => Scripted))[]) {
  const seen: Seen[] = [];
  const { url: root } = await serveHttp((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { method = "", url = "", headers } = request;
      const line = script[seen.length];
      seen.push({ method, url, headers, body: Buffer.concat(chunks).toString() });
      const answer = (typeof line === "function" ? line(address) : line) ?? { status: 500, body: "end of the script" };
      const { status = 200, body } = answer;
      response.writeHead(status, { "content-type": "application/json", ...answer.headers });
      response.end(typeof body === "string" ? body : body === undefined ? "" : JSON.stringify(body));
    });
  });
  const address = root.slice(0, -1);
  return { url: address, seen };
}

/** A page without links. */
export function page(...results: unknown[]): Scripted {
  return { body: { next: null, previous: null, results } };
}
