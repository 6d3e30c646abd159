import { expect } from "vitest";
import type { HttpResult, HttpSender, HttpRequest } from "../../src/http/index.js";
import { serveHttp } from "../support/server.js";
import { until } from "../support/until.js";

/** Posts, and resolves with the result. */
export function post(sender: HttpSender, request: Partial<HttpRequest> & { url: string }): Promise<HttpResult> {
  return new Promise((resolve) => sender.post({ body: "event=alarm", timeoutMs: 5000, ...request }, resolve));
}

/** Posts 3,000 requests at once: each gets the answer to its own body, once, and never before `post` has returned. */
export async function expectEachAnswered(sender: HttpSender): Promise<void> {
  const server = await serveHttp((request, response) => void request.pipe(response));
  const answers: string[] = [];
  let isPosting = true;
  const count = 3000;
  for (let index = 0; index < count; index++) {
    sender.post({ url: server.url, body: `number=${index}`, timeoutMs: 20_000 }, ({ body }) => {
      expect(isPosting).toBe(false);
      expect(Buffer.from(body ?? []).toString()).toBe(`number=${index}`);
      answers.push(`number=${index}`);
    });
  }
  expect(sender.waitingForConnection).toBe(count - sender.connections);
  isPosting = false;
  await until(() => answers.length >= count, "all are answered");
  expect(new Set(answers).size).toBe(count);
  expect(answers.length).toBe(count);
  expect(sender.waitingForConnection).toBe(0);
}
