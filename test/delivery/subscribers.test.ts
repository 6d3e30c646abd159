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
  readonly outcomes: { atMs: number; posting: SubscriberPosting; exchange: HttpResult }[];
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
    attempted: (posting, exchange) => outcomes.push({ atMs: kernel.now, posting, exchange }),
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

it("the data goes out as JSON, and the answer comes back", async () => {
  const seen: unknown[] = [];
  const server = await serveHttp((request, response) => {
    void bodyOf(request).then((body) => {
      seen.push([request.method, request.url, request.headers["content-type"], JSON.parse(body)]);
      response.writeHead(202).end("thanks");
    });
  });
  const { subscribers, outcomes } = setup();
  const asked = posting(`${server.url}stock?key=a%20b`, { data: { item: "Zinc é", list: [1, null] } });
  subscribers.postEvent(asked);
  expect(subscribers.inFlight).toBe(1);
  await subscribers.progress();
  expect(subscribers.inFlight).toBe(0);
  expect(seen).toEqual([["POST", "/stock?key=a%20b", "application/json", { item: "Zinc é", list: [1, null] }]]);
  expect(outcomes).toMatchObject([{ exchange: { status: 202, error: null } }]);
  expect(outcomes[0]?.posting).toBe(asked);
  expect(Buffer.from(outcomes[0]?.exchange.body ?? []).toString()).toBe("thanks");
});

it("every status is an answer, also one that a channel's event would not take", async () => {
  for (const status of [204, 302, 404, 410, 500, 599]) {
    const server = await serveHttp((_request, response) => response.writeHead(status).end());
    const { subscribers, outcomes } = setup();
    subscribers.postEvent(posting(server.url));
    await subscribers.progress();
    expect(outcomes).toMatchObject([{ exchange: { status, error: null } }]);
  }
});

it("failures are told by their code", async () => {
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
    expect(outcomes).toMatchObject([{ exchange: { status: null, error } }]);
  }
});

it("in lockstep an answer takes effect at its time, however fast it came, in the order of subscribers and events", async () => {
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

it("what is under way when it is closed has no effect", async () => {
  let asked = 0;
  const server = await serveHttp(() => void asked++);
  const { subscribers, outcomes } = setup();
  subscribers.postEvent(posting(server.url));
  await until(() => asked === 1, "the subscriber was asked");
  subscribers.close();
  await subscribers.progress();
  expect(subscribers.inFlight).toBe(0);
  expect(outcomes).toEqual([]);
});

it("drained, it has told everything", async () => {
  const server = await serveHttp((_request, response) => response.writeHead(200).end());
  const { subscribers, outcomes } = setup({ answersAfterMs: 5000 });
  subscribers.postEvent(posting(server.url));
  await subscribers.drain();
  expect(outcomes).toMatchObject([{ atMs: 0, exchange: { status: 200 } }]);
});
