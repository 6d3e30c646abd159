import { describe, expect, it, onTestFinished } from "vitest";
import { type HttpResult, type HttpRequest, HttpClient, ThreadedHttpClient } from "../../../src/http/index.js";
import { freePort, serveHttp, serveTcp } from "../../support/server.js";
import { until } from "../../support/until.js";
import { expectEachAnswered, post } from "../posts.js";
import { onRequest } from "../servers.js";

type Options = Parameters<typeof ThreadedHttpClient.start>[0];

async function threaded(options: Options = {}, allowHosts: readonly string[] = []): Promise<ThreadedHttpClient> {
  const client = await ThreadedHttpClient.start(options, { allowHosts });
  onTestFinished(() => client.close());
  return client;
}

/** A result without its times. */
function withoutTimes({ postedWallMs, sentWallMs, durationMs, headers, body, ...rest }: HttpResult): unknown {
  return {
    ...rest,
    wasPosted: postedWallMs !== null,
    wasSent: sentWallMs !== null,
    isTimed: durationMs >= 0,
    headers: headers?.replace(/date: .*/i, "date") ?? null,
    body: body === null ? null : Buffer.from(body).toString(),
  };
}

describe("a client in a separate thread", () => {
  it("gives the same results as one in this thread", async () => {
    const server = await serveHttp((request, response) => {
      const path = request.url ?? "";
      if (path === "/moved") response.writeHead(302, { location: "/" }).end();
      else if (path === "/away") response.writeHead(302, { location: "http://elsewhere.example/" }).end();
      else if (path === "/late") setTimeout(() => response.end(), 500);
      else if (path === "/large") response.end("é".repeat(100_000));
      else if (path === "/empty") response.writeHead(204).end();
      else if (path === "/gone") request.socket.destroy();
      else response.end(`ünïcode ${request.method} ${String(request.headers["x-mark"])}`);
    });
    const faulty = await serveTcp((socket) =>
      onRequest(socket, () => socket.end("HTTP/1.1 200 OK\r\nbad header\r\n\r\n")),
    );
    const at = (path: string): string => server.url.replace(/\/$/, "") + path;
    const requests: (Partial<HttpRequest> & { url: string })[] = [
      { url: at("/") },
      { url: at("/"), headers: { "x-mark": "3/17" }, body: "text=ünïcode" },
      { url: at("/moved") },
      { url: at("/moved"), maxRedirects: 0 },
      { url: at("/moved"), maxRedirects: 1, headers: { "x-mark": "3/18" } },
      { url: at("/away") },
      { url: at("/late"), timeoutMs: 100 },
      { url: at("/large") },
      { url: at("/empty") },
      { url: at("/gone") },
      { url: faulty.url },
      { url: `http://127.0.0.1:${await freePort()}/` },
      { url: "http://elsewhere.example/" },
      { url: "nonsense" },
    ];
    const options = { redirects: true, connections: 1 };
    const here = new HttpClient({ ...options, isAllowed: (url) => !url.includes("example") });
    onTestFinished(() => here.close());
    const there = await threaded(options);
    for (const request of requests) {
      expect(withoutTimes(await post(there, request)), request.url).toEqual(withoutTimes(await post(here, request)));
    }
  });

  it("gives each of 3,000 concurrent requests its own answer once", async () => {
    await expectEachAnswered(await threaded({ connections: 20 }));
  });

  it("gives times by the clock of the thread that posts", async () => {
    const server = await serveHttp((_request, response) => response.end());
    const client = await threaded({ connections: 1 });
    const beforeMs = performance.now() - client.originMs;
    const { postedWallMs, sentWallMs, durationMs } = await post(client, { url: server.url });
    const afterMs = performance.now() - client.originMs;
    const times = [beforeMs, postedWallMs ?? NaN, sentWallMs ?? NaN, (sentWallMs ?? NaN) + durationMs, afterMs];
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(beforeMs).toBeGreaterThanOrEqual(0);
  });

  it("withdraws requests that wait for a connection", async () => {
    const server = await serveHttp(() => undefined);
    const client = await threaded({ connections: 1 });
    const first = post(client, { url: server.url, timeoutMs: 300 });
    const second = post(client, { url: server.url });
    client.withdrawUnsent();
    expect(await second).toMatchObject({ error: "withdrawn", sentWallMs: null });
    expect(await first).toMatchObject({ error: "ETIMEDOUT" });
  });

  it("ends requests in flight when it is closed", async () => {
    const server = await serveHttp(() => undefined);
    const client = await threaded({ connections: 1 });
    const results = [post(client, { url: server.url }), post(client, { url: server.url })];
    await until(() => server.open() === 1, "the first is sent");
    client.close();
    results.push(post(client, { url: server.url }));
    for (const result of await Promise.all(results)) expect(result).toMatchObject({ error: "sender-closed" });
    await until(() => server.open() === 0, "all connections are closed");
  });

  it("holds requests until they are due, and counts them apart from those that wait for a connection", async () => {
    const got: string[] = [];
    const server = await serveHttp((request, response) => {
      request.on("data", (body: Buffer) => got.push(body.toString()));
      request.on("end", () => response.end());
    });
    const client = await threaded({ connections: 1 });
    const hour = performance.now() + 3_600_000;
    const dueMs = performance.now() + 60;
    const never = ["never", "nor this"].map((body) => post(client, { url: server.url, body, notBeforeMs: hour }));
    const later = [60.5, 60, 60].map((ms, index) =>
      post(client, { url: server.url, body: `${index}`, notBeforeMs: dueMs - 60 + ms }),
    );
    const atOnce = post(client, { url: server.url, body: "at once", notBeforeMs: hour - 4_000_000 });
    expect(client.notDue).toBeGreaterThanOrEqual(2);
    expect(client.waitingForConnection + client.notDue).toBe(5);
    const first = await atOnce;
    expect(first).toMatchObject({ status: 200 });
    for (const { status, postedWallMs } of await Promise.all(later)) {
      expect(status).toBe(200);
      expect(client.originMs + (postedWallMs ?? 0)).toBeGreaterThanOrEqual(dueMs - 1e-6);
    }
    // If the thread got its turn only after all were due, their order is that of their arrival there.
    const isInTime = client.originMs + (first.postedWallMs ?? Infinity) < dueMs;
    expect(isInTime ? got : got.toSorted()).toEqual(isInTime ? ["at once", "1", "2", "0"] : ["0", "1", "2", "at once"]);
    expect(client).toMatchObject({ notDue: 2, waitingForConnection: 0 });
    client.withdrawUnsent();
    for (const result of await Promise.all(never)) expect(result).toMatchObject({ error: "withdrawn" });
    expect(client).toMatchObject({ notDue: 0, waitingForConnection: 0 });
    const closed = post(client, { url: server.url, notBeforeMs: hour });
    client.close();
    expect(await closed).toMatchObject({ error: "sender-closed", postedWallMs: null });
  });

  it("refuses options and headers that cannot be sent", async () => {
    await expect(threaded({ connections: 0 })).rejects.toThrow(RangeError);
    await expect(threaded({ headers: { "content-length": "3" } })).rejects.toThrow(/'content-length' is set by/);
    await expect(threaded({ ca: "no certificate" })).rejects.toThrow(/ca is not a certificate/);
    const client = await threaded();
    expect(() =>
      client.post({ url: "http://127.0.0.1:1/", body: "", headers: { te: "x" }, timeoutMs: 1 }, fail),
    ).toThrow(RangeError);
    expect(client.waitingForConnection).toBe(0);
  });
});

function fail(): never {
  throw new Error("nothing was posted");
}
