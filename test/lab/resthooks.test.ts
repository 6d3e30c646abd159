import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { serve, type Served } from "../../src/index.js";
import { parseScenario } from "../../src/scenario/index.js";

const world = `{ name: One, lasts: 1d, handsets: { clinic: { phone: "+250788000001" } } }`;

/** A service with one resthook and a clock that stands. */
async function start(): Promise<Served> {
  const { scenario } = parseScenario(world, { file: "one.yaml", nowMs: 0 });
  if (scenario === undefined) throw new Error("the scenario does not parse");
  const account = {
    kind: "text",
    file: "account.yaml",
    text: "account: { name: One }\nresthooks: [stock-low]\n",
    readsFiles: false,
  } as const;
  const served = await serve({ scenario, accounts: [account], isPaused: true, receiver: "none" });
  onTestFinished(() => served.close());
  return served;
}

it("a resthook's event goes to its subscriber by HTTP, is tried again, and 410 ends the subscription", async () => {
  const got: unknown[] = [];
  const statuses = [500, 410];
  const subscriber = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (chunk: string) => (body += chunk));
    request.on("end", () => {
      got.push([request.url, request.headers["content-type"], JSON.parse(body)]);
      response.writeHead(statuses.shift() ?? 200).end();
    });
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void subscriber.close());
  await once(subscriber, "listening");
  const target = `http://127.0.0.1:${(subscriber.address() as AddressInfo).port}/hook?key=a`;

  const { url, token, labToken } = await start();
  const ask = async (path: string, body?: unknown): Promise<{ status: number; body: unknown }> => {
    const answer = await fetch(url + path, {
      method: body === undefined ? "GET" : "POST",
      headers: {
        authorization: `Token ${path.startsWith("/lab") ? labToken : token}`,
        "content-type": "application/json",
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: await answer.json() };
  };
  const subscribers = "/api/v2/resthook_subscribers.json";
  expect(await ask(subscribers, { resthook: "stock-low", target_url: target })).toMatchObject({ status: 201 });
  expect(await ask(subscribers, { resthook: "stock-low", target_url: "http://hooks.example.org/" })).toMatchObject({
    status: 400,
    body: { target_url: [expect.stringContaining("--allow-host")] },
  });

  const data = { item: "zinc", left: 3 };
  expect(await ask("/lab/resthooks", { resthook: "stock-low", data })).toMatchObject({ status: 200 });
  await ask("/lab/clock", { step: "1s" });
  expect(got).toEqual([["/hook?key=a", "application/json", data]]);
  await ask("/lab/clock", { step: "6m" });
  expect(got).toEqual([got[0], got[0]]);
  expect(await ask(subscribers)).toMatchObject({ body: { results: [] } });
  expect(await ask("/api/v2/resthook_events.json")).toMatchObject({
    body: { results: [{ resthook: "stock-low", data }] },
  });
});
