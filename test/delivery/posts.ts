import type { Exchange, Poster, PostRequest } from "../../src/delivery/index.js";

/** Posts, and resolves with what came of it. */
export function post(from: Poster, request: Partial<PostRequest> & { url: string }): Promise<Exchange> {
  return new Promise((resolve) => from.post({ body: "event=alarm", timeoutMs: 5000, ...request }, resolve));
}
