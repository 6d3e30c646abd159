import type { IncomingMessage, ServerResponse } from "node:http";
import type { FetchHandler, NodeHandler } from "./kinds.js";

/** Turns a fetch handler into a handler of Node's HTTP server. */
export function nodeHandlerOf(handle: FetchHandler): NodeHandler {
  return async (request, response) => {
    const answer: unknown = await handle(await requestOf(request));
    if (!(answer instanceof Response)) {
      throw new TypeError(
        `a handler with one parameter must return a Response, it returned ${nameOf(answer)} ` +
          "(a Node handler has two parameters; for a mock of one write { node: handler })",
      );
    }
    await writeResponse(answer, response);
  };
}

async function requestOf(request: IncomingMessage): Promise<Request> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const headers = new Headers();
  for (let index = 0; index + 1 < request.rawHeaders.length; index += 2) {
    headers.append(request.rawHeaders[index] ?? "", request.rawHeaders[index + 1] ?? "");
  }
  const { method = "GET", url = "/" } = request;
  const hasBody = method !== "GET" && method !== "HEAD";
  return new Request(new URL(url, `http://${request.headers.host ?? "127.0.0.1"}`), {
    method,
    headers,
    ...(hasBody && { body: Buffer.concat(chunks) }),
  });
}

async function writeResponse(answer: Response, response: ServerResponse): Promise<void> {
  response.statusCode = answer.status;
  if (answer.statusText !== "") response.statusMessage = answer.statusText;
  for (const [name, value] of answer.headers) response.appendHeader(name, value);
  response.end(Buffer.from(await answer.arrayBuffer()));
}

function nameOf(value: unknown): string {
  if (value === undefined || value === null) return String(value);
  return `a ${Object(value).constructor?.name ?? typeof value}`;
}
