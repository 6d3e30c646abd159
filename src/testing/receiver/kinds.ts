import type { IncomingMessage, Server, ServerResponse } from "node:http";

/** A handler of Node's HTTP server, as `http.createServer`, Express and Connect take it. */
export type NodeHandler = (request: IncomingMessage, response: ServerResponse) => unknown;

/** A handler that takes a `Request` and returns a `Response`, as Hono, Next.js, Deno and Workers have it. */
export type FetchHandler = (request: Request) => Response | Promise<Response>;

/** A Fastify instance, not yet listening or listening: only these methods are used. */
export interface FastifyLike {
  ready(): PromiseLike<unknown>;
  routing(request: IncomingMessage, response: ServerResponse): void;
}

/**
 * Your receiver: a handler in this process, or the URL of one that listens elsewhere.
 *
 * A function with two or more parameters is a Node handler, one with fewer is a fetch handler. Where that is wrong, as
 * with a mock of a test runner, say it: `{ node: handler }` or `{ fetch: handler }`.
 */
export type TestReceiver =
  | string
  | URL
  | NodeHandler
  | FetchHandler
  | FastifyLike
  | Server
  | { readonly node: NodeHandler }
  | { readonly fetch: FetchHandler };
