import { type RequestListener, Server, type ServerResponse } from "node:http";
import { isNativeError } from "node:util/types";
import { LabError } from "../../base/index.js";
import { nodeHandlerOf } from "./fetch-handler.js";
import type { FetchHandler, NodeHandler, TestReceiver } from "./kinds.js";

/** What a handler did wrong, beyond its answer. */
export type OnThrown = (response: ServerResponse, error: unknown) => void;

/** Whether a receiver is reached by its URL. */
export function isUrl(receiver: TestReceiver): receiver is string | URL {
  return typeof receiver === "string" || receiver instanceof URL;
}

/**
 * The handler of a receiver in this process, which never throws: an error is answered with 500, as web frameworks do.
 *
 * @param onThrown - called with what a handler has thrown, before the answer
 * @throws LabError `bad-options` for what is no receiver
 */
export async function handlerOf(
  receiver: Exclude<TestReceiver, string | URL>,
  onThrown: OnThrown,
): Promise<RequestListener> {
  const handle = await plainHandlerOf(receiver);
  return (request, response) => {
    const fail = (error: unknown): void => {
      onThrown(response, error);
      if (response.headersSent) return void response.destroy();
      response.statusCode = 500;
      response.end(isNativeError(error) ? error.message : String(error));
    };
    try {
      const handling = handle(request, response);
      if (isThenable(handling)) handling.then(undefined, fail);
    } catch (error) {
      fail(error);
    }
  };
}

async function plainHandlerOf(receiver: Exclude<TestReceiver, string | URL>): Promise<NodeHandler> {
  if (typeof receiver === "function") {
    return receiver.length >= 2 ? (receiver as NodeHandler) : nodeHandlerOf(receiver as FetchHandler);
  }
  if (receiver instanceof Server) return (request, response) => void receiver.emit("request", request, response);
  if (typeof receiver === "object" && receiver !== null) {
    if ("routing" in receiver && typeof receiver.routing === "function") {
      await receiver.ready();
      return (request, response) => receiver.routing(request, response);
    }
    if ("node" in receiver && typeof receiver.node === "function") return receiver.node;
    if ("fetch" in receiver && typeof receiver.fetch === "function") {
      return nodeHandlerOf((request) => receiver.fetch(request));
    }
  }
  throw new LabError("bad-options", `'receiver' must be a handler or a URL, got ${describe(receiver)}`, {
    hint: "pass (req, res) => …, (request) => new Response(…), a Fastify instance, an http.Server, or 'http://127.0.0.1:3000/events'",
  });
}

function describe(value: unknown): string {
  if (value === null || typeof value !== "object") return `${typeof value} ${String(value)}`;
  return `an object with ${Object.keys(value).slice(0, 5).join(", ") || "no keys"}`;
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}
