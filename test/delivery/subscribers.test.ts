import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { expect, it, onTestFinished } from "vitest";
import { type SubscriberPosting, Subscribers } from "../../src/delivery/index.js";
import { allowedHosts, type HttpResult } from "../../src/http/index.js";
import { Kernel } from "../../src/sim/index.js";
import { type ServicePreset, servicePresets } from "../../src/wire/index.js";
import { freePort, serveHttp } from "../support/server.js";
import { until } from "../support/until.js";

interface Setup {
  readonly subscribers: Subscribers;
  readonly kernel: Kernel;
  readonly outcomes: { atMs: number; posting: SubscriberPosting; result: HttpResult }[];
}

function setup(options: { answersAfterMs?: number; timeoutMs?: number; allow?: readonly string[] } = {}): Setup {
  const kernel = new Kernel();
  const documented = servicePresets.get("documented");
  if (documented === undefined) throw new Error("the preset 'documented' is gone");
  const preset: ServicePreset = { ...documented, timeoutMs: options.timeoutMs ?? 2000 };
  const outcomes: Setup["outcomes"] = [];
  const subscribers = new Subscribers({
    kernel,
    preset,
    answersAfterMs: options.answersAfterMs,
    isAllowed: allowedHosts(options.allow ?? []),
    attempted: (posting, result) => outcomes.push({ atMs: kernel.now, posting, result }),
    failed: (error) => {
      throw error;
    },
  });
  onTestFinished(() => subscribers.close());
  return { subscribers, kernel, outcomes };
}

function posting(url: string, changes: Partial<SubscriberPosting> = {}): SubscriberPosting {
  return { event: 1, subscriber: 1, try: 1, atMs: 0, url, data: { item: "zinc", left: 3 }, ...changes };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = "";
  request.setEncoding("utf8").on("data", (chunk: string) => (body += chunk));
  await once(request, "end");
  return body;
}

it("sends the data as JSON, and reports the answer", async () => {
  const seen: unknown[] = [];
  const server = await serveHttp((request, response) => {
    void bodyOf(request).then((body) => {
      seen.push([request.method, request.url, request.headers["content-type"], JSON.parse(body)]);
      response.writeHead(202).end("thanks");
    });
  });
  const { subscribers, outcomes } = setup();
  const order = posting(`${server.url}stock?key=a%20b`, { data: { item: "Zinc é", list: [1, null] } });
  subscribers.postEvent(order);
  expect(subscribers.inFlight).toBe(1);
  await subscribers.progress();
  expect(subscribers.inFlight).toBe(0);
  expect(seen).toEqual([["POST", "/stock?key=a%20b", "application/json", { item: "Zinc é", list: [1, null] }]]);
  expect(outcomes).toMatchObject([{ result: { status: 202, error: null } }]);
  expect(outcomes[0]?.posting).toBe(order);
  expect(Buffer.from(outcomes[0]?.result.body ?? []).toString()).toBe("thanks");
});

it("reports every status as an answer, also one that would be refused for a channel's event", async () => {
  for (const status of [204, 302, 404, 410, 500, 599]) {
    const server = await serveHttp((_request, response) => response.writeHead(status).end());
    const { subscribers, outcomes } = setup();
    subscribers.postEvent(posting(server.url));
    await subscribers.progress();
    expect(outcomes).toMatchObject([{ result: { status, error: null } }]);
  }
});

it("reports failures by their error code", async () => {
  const silent = await serveHttp(() => undefined);
  for (const [url, error] of [
    [`http://127.0.0.1:${await freePort()}/`, "ECONNREFUSED"],
    [silent.url, "ETIMEDOUT"],
    ["http://hooks.example.org/", "host-not-allowed"],
    ["ftp://127.0.0.1/stock", "bad-url"],
  ] as const) {
    const { subscribers, outcomes } = setup({ timeoutMs: 100 });
    subscribers.postEvent(posting(url));
    await subscribers.progress();
    expect(outcomes).toMatchObject([{ result: { status: null, error } }]);
  }
});

it("in lockstep answers take effect after the lookahead, in the order (time, subscriber, event)", async () => {
  const server = await serveHttp((_request, response) => response.writeHead(200).end());
  const { subscribers, kernel, outcomes } = setup({ answersAfterMs: 5000 });
  for (const [subscriber, event] of [
    [2, 1],
    [1, 2],
    [1, 1],
  ] as const) {
    subscribers.postEvent(posting(server.url, { subscriber, event }));
  }
  expect(subscribers.horizonMs).toBe(5000);
  while (subscribers.inFlight > 0) await subscribers.progress();
  expect(subscribers.horizonMs).toBe(Infinity);
  expect(outcomes).toEqual([]);
  while (kernel.step());
  expect(outcomes.map(({ atMs, posting: { subscriber, event } }) => [atMs, subscriber, event])).toEqual([
    [5000, 1, 1],
    [5000, 1, 2],
    [5000, 2, 1],
  ]);
});

it("attempts in flight when it is closed have no effect", async () => {
  let requests = 0;
  const server = await serveHttp(() => void requests++);
  const { subscribers, outcomes } = setup();
  subscribers.postEvent(posting(server.url));
  await until(() => requests === 1, "the subscriber has the request");
  subscribers.close();
  await subscribers.progress();
  expect(subscribers.inFlight).toBe(0);
  expect(outcomes).toEqual([]);
});

it("drain reports all outcomes", async () => {
  const server = await serveHttp((_request, response) => response.writeHead(200).end());
  const { subscribers, outcomes } = setup({ answersAfterMs: 5000 });
  subscribers.postEvent(posting(server.url));
  await subscribers.drain();
  expect(outcomes).toMatchObject([{ atMs: 0, result: { status: 200 } }]);
});
