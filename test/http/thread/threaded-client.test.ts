import { describe, expect, it, onTestFinished } from "vitest";
import { type HttpResult, type HttpRequest, HttpClient, ThreadedHttpClient } from "../../../src/http/index.js";
import { freePort, serveHttp, serveTcp } from "../../support/server.js";
import { until } from "../../support/until.js";
import { expectEachAnswered, post } from "../posts.js";
import { onRequest } from "../servers.js";

type Options = Parameters<typeof ThreadedHttpClient.start>[0];

async function threaded(options: Options = {}, allowHosts: readonly string[] = []): Promise<ThreadedHttpClient> {
  const made = await ThreadedHttpClient.start(options, { allowHosts });
  onTestFinished(() => made.close());
  return made;
}

/** What does not depend on how long it took. */
function timeless({ postedWallMs, sentWallMs, durationMs, headers, body, ...rest }: HttpResult): unknown {
  return {
    ...rest,
    wasPosted: postedWallMs !== null,
    wasSent: sentWallMs !== null,
    isTimed: durationMs >= 0,
    headers: headers?.replace(/date: .*/i, "date") ?? null,
    body: body === null ? null : Buffer.from(body).toString(),
  };
}

describe("a sender in a thread of its own", () => {
  it("gives the same as one in this thread, whatever comes back", async () => {
    const server = await serveHttp((request, response) => {
      const path = request.url ?? "";
      if (path === "/moved") response.writeHead(302, { location: "/" }).end();
      else if (path === "/late") setTimeout(() => response.end(), 500);
      else if (path === "/large") response.end("é".repeat(100_000));
      else if (path === "/empty") response.writeHead(204).end();
      else if (path === "/gone") request.socket.destroy();
      else response.end(`ünïcode ${request.method} ${String(request.headers["x-mark"])}`);
    });
    const liars = await serveTcp((socket) =>
      onRequest(socket, () => socket.end("HTTP/1.1 200 OK\r\nbad header\r\n\r\n")),
    );
    const at = (path: string): string => server.url.replace(/\/$/, "") + path;
    const requests: (Partial<HttpRequest> & { url: string })[] = [
      { url: at("/") },
      { url: at("/"), headers: { "x-mark": "3/17" }, body: "text=ünïcode" },
      { url: at("/moved") },
      { url: at("/late"), timeoutMs: 100 },
      { url: at("/large") },
      { url: at("/empty") },
      { url: at("/gone") },
      { url: liars.url },
      { url: `http://127.0.0.1:${await freePort()}/` },
      { url: "http://elsewhere.example/" },
      { url: "nonsense" },
    ];
    const options = { redirects: true, connections: 1 };
    const here = new HttpClient({ ...options, isAllowed: (url) => !url.includes("example") });
    onTestFinished(() => here.close());
    const there = await threaded(options);
    for (const request of requests) {
      expect(timeless(await post(there, request)), request.url).toEqual(timeless(await post(here, request)));
    }
  });

  it("brings each answer to whoever has asked, once, however many ask at the same time", async () => {
    await expectEachAnswered(await threaded({ connections: 20 }));
  });

  it("its times are those of its owner's clock", async () => {
    const server = await serveHttp((_request, response) => response.end());
    const sender = await threaded({ connections: 1 });
    const beforeMs = performance.now() - sender.originMs;
    const { postedWallMs, sentWallMs, durationMs } = await post(sender, { url: server.url });
    const afterMs = performance.now() - sender.originMs;
    const times = [beforeMs, postedWallMs ?? NaN, sentWallMs ?? NaN, (sentWallMs ?? NaN) + durationMs, afterMs];
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(beforeMs).toBeGreaterThanOrEqual(0);
  });

  it("takes back what waits for a connection", async () => {
    const server = await serveHttp(() => undefined);
    const sender = await threaded({ connections: 1 });
    const first = post(sender, { url: server.url, timeoutMs: 300 });
    const second = post(sender, { url: server.url });
    sender.withdrawUnsent();
    expect(await second).toMatchObject({ error: "withdrawn", sentWallMs: null });
    expect(await first).toMatchObject({ error: "ETIMEDOUT" });
  });

  it("ends what is under way when it is closed", async () => {
    const server = await serveHttp(() => undefined);
    const sender = await threaded({ connections: 1 });
    const exchanges = [post(sender, { url: server.url }), post(sender, { url: server.url })];
    await until(() => server.open() === 1, "the first is sent");
    sender.close();
    exchanges.push(post(sender, { url: server.url }));
    for (const exchange of await Promise.all(exchanges)) expect(exchange).toMatchObject({ error: "sender-closed" });
    await until(() => server.open() === 0, "all connections are closed");
  });

  it("holds what is not due, and counts it apart from what waits for a connection", async () => {
    const got: string[] = [];
    const server = await serveHttp((request, response) => {
      request.on("data", (body: Buffer) => got.push(body.toString()));
      request.on("end", () => response.end());
    });
    const sender = await threaded({ connections: 1 });
    const hour = performance.now() + 3_600_000;
    const dueMs = performance.now() + 60;
    const never = ["never", "nor this"].map((body) => post(sender, { url: server.url, body, notBeforeMs: hour }));
    const later = [60.5, 60, 60].map((ms, index) =>
      post(sender, { url: server.url, body: `${index}`, notBeforeMs: dueMs - 60 + ms }),
    );
    const atOnce = post(sender, { url: server.url, body: "at once", notBeforeMs: hour - 4_000_000 });
    expect(sender.notDue).toBeGreaterThanOrEqual(2);
    expect(sender.waitingForConnection + sender.notDue).toBe(5);
    expect(await atOnce).toMatchObject({ status: 200 });
    for (const { status, postedWallMs } of await Promise.all(later)) {
      expect(status).toBe(200);
      expect(sender.originMs + (postedWallMs ?? 0)).toBeGreaterThanOrEqual(dueMs - 1e-6);
    }
    expect(got).toEqual(["at once", "1", "2", "0"]);
    expect(sender).toMatchObject({ notDue: 2, waitingForConnection: 0 });
    sender.withdrawUnsent();
    for (const exchange of await Promise.all(never)) expect(exchange).toMatchObject({ error: "withdrawn" });
    expect(sender).toMatchObject({ notDue: 0, waitingForConnection: 0 });
    const closed = post(sender, { url: server.url, notBeforeMs: hour });
    sender.close();
    expect(await closed).toMatchObject({ error: "sender-closed", postedWallMs: null });
  });

  it("says at once what cannot be sent", async () => {
    await expect(threaded({ connections: 0 })).rejects.toThrow(RangeError);
    await expect(threaded({ headers: { "content-length": "3" } })).rejects.toThrow(/'content-length' is set by/);
    await expect(threaded({ ca: "no certificate" })).rejects.toThrow(/ca is not a certificate/);
    const sender = await threaded();
    expect(() =>
      sender.post({ url: "http://127.0.0.1:1/", body: "", headers: { te: "x" }, timeoutMs: 1 }, fail),
    ).toThrow(RangeError);
    expect(sender.waitingForConnection).toBe(0);
  });
});

function fail(): never {
  throw new Error("nothing was posted");
}
