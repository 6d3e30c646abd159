import { once } from "node:events";
import { createServer as createHttpsServer } from "node:https";
import { readFileSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, it, onTestFinished } from "vitest";
import { allowedHosts, type HttpResult, postOnce, HttpClient, type HttpClientOptions } from "../../src/http/index.js";
import { freePort, listen, serveHttp, serveTcp, type TestServer } from "../support/server.js";
import { until } from "../support/until.js";
import { post } from "./posts.js";
import { onRequest, says } from "./servers.js";

function sender(options: HttpClientOptions = {}): HttpClient {
  const made = new HttpClient(options);
  onTestFinished(() => made.close());
  return made;
}

/** Posts once, and again after it over the same sender to a decent server: a serveTcp must not harm what follows. */
async function ask(server: TestServer, options: { timeoutMs?: number } & HttpClientOptions = {}): Promise<HttpResult> {
  const { timeoutMs = 2000, ...rest } = options;
  const used = sender({ connections: 1, ...rest });
  const exchange = await post(used, { url: server.url, timeoutMs });
  const decent = await serveHttp((_request, response) => response.end("fine"));
  const next = await post(used, { url: decent.url });
  expect(next).toMatchObject({ status: 200, error: null });
  used.close();
  await until(() => server.open() === 0 && decent.open() === 0, "all connections are closed");
  expect((exchange.status === null) !== (exchange.error === null)).toBe(true);
  return exchange;
}

/** Lets a sender find out that a server keeps its connections: the first one is watched for a moment, then closed. */
async function acquaint(used: HttpClient, server: TestServer, path = ""): Promise<void> {
  expect(await post(used, { url: `${server.url}${path}` })).toMatchObject({ error: null });
  await until(() => server.open() === 0, "the first connection was watched");
}

function text(exchange: HttpResult): string | null {
  return exchange.body === null ? null : Buffer.from(exchange.body).toString();
}

describe("what goes out", () => {
  it("method, headers and body on the wire", async () => {
    let seen = "";
    const server = await serveTcp((socket) =>
      onRequest(socket, (request) => {
        seen = request;
        socket.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
      }),
    );
    const body = "event=mo_sms&phone=%2B12065550142&text=50%25+%26+more";
    await post(sender({ headers: { "X-Key": "secret", "User-Agent": "mine" } }), {
      url: `${server.url}events?key=a%20b&empty=#fragment`,
      body,
      headers: { "X-Handset-Event": "3/17" },
    });
    const [head = "", sent] = seen.split("\r\n\r\n");
    const [line, ...headers] = head.split("\r\n");
    expect(line).toBe("POST /events?key=a%20b&empty= HTTP/1.1");
    expect(sent).toBe(body);
    expect(headers.map((header) => header.toLowerCase()).sort()).toEqual([
      "accept-encoding: identity",
      "connection: keep-alive",
      `content-length: ${body.length}`,
      "content-type: application/x-www-form-urlencoded",
      `host: 127.0.0.1:${server.port}`,
      "user-agent: mine",
      "x-handset-event: 3/17",
      "x-key: secret",
    ]);
  });

  it.each([
    ["", "/"],
    ["?", "/?"],
    ["/a?", "/a?"],
    ["/a?x=1&y=%2B+a:b$,'\"<>|`{}[]^~!*()&&=?/", "/a?x=1&y=%2B+a:b$,'\"<>|`{}[]^~!*()&&=?/"],
    ["/a//b/../c/./d;p=1?q#f?g", "/a//b/../c/./d;p=1?q"],
    ["/a b?t=ü 💧", "/a%20b?t=%C3%BC%20%F0%9F%92%A7"],
  ])("the address ends in %j and %j is asked for", async (given, expected) => {
    const server = await serveHttp((request, response) => response.end(request.url));
    const exchange = await post(sender(), { url: `http://127.0.0.1:${server.port}${given}` });
    expect(text(exchange)).toBe(expected);
  });

  it("credentials in the address become a Basic header", async () => {
    const server = await serveHttp((request, response) => response.end(request.headers.authorization));
    const exchange = await post(sender(), { url: `http://us%40er:p%C3%A4ss@127.0.0.1:${server.port}/` });
    expect(text(exchange)).toBe(`Basic ${Buffer.from("us@er:päss").toString("base64")}`);
  });

  it.each(["ftp://127.0.0.1/", "127.0.0.1:80", "http://", "http://a b/", ""])("%j is no address", async (url) => {
    expect(await post(sender(), { url })).toMatchObject({ status: null, error: "bad-url", sentWallMs: null });
  });

  it("headers that would break a request are refused at once", () => {
    expect(() => new HttpClient({ headers: { "Content-Length": "3" } })).toThrow(
      /'Content-Length' is set by the sender/,
    );
    expect(() => new HttpClient({ headers: { "a b": "3" } })).toThrow(RangeError);
    expect(() => new HttpClient({ headers: { a: "x\r\ny: z" } })).toThrow(RangeError);
    expect(() => new HttpClient({ connections: 0 })).toThrow(RangeError);
  });

  it("nothing goes to a host that is not allowed", async () => {
    const guarded = sender({ isAllowed: allowedHosts([]) });
    expect(await post(guarded, { url: "http://handset-lab.example/" })).toMatchObject({ error: "host-not-allowed" });
  });
});

describe("answers", () => {
  it("status, headers, body and times", async () => {
    const server = await serveHttp((_request, response) => {
      response.writeHead(201, { "X-One": "1", "Set-Cookie": ["a=1", "b=2"] });
      response.end('{"text":"hi"}');
    });
    const exchange = await ask(server);
    expect(exchange).toMatchObject({ status: 201, error: null, bodyBytes: 13, redirects: [] });
    expect(text(exchange)).toBe('{"text":"hi"}');
    expect(exchange.headers?.split("\n").slice(0, 3)).toEqual(["X-One: 1", "Set-Cookie: a=1", "Set-Cookie: b=2"]);
    expect(exchange.sentWallMs).toBeGreaterThanOrEqual(0);
    expect(exchange.durationMs).toBeGreaterThan(0);
  });

  it.each([200, 202, 204, 304, 302, 400, 404, 410, 429, 500, 503, 599, 999])("status %d", async (status) => {
    const server = await serveHttp((_request, response) => {
      response.writeHead(status, status === 302 ? { location: "/elsewhere" } : {});
      response.end();
    });
    expect(await ask(server)).toMatchObject({ status, error: null, body: null, bodyBytes: 0, redirects: [] });
  });

  it.each([
    ["gzip", gzipSync],
    ["x-gzip", gzipSync],
    ["deflate", deflateSync],
    ["deflate", deflateRawSync],
    ["br", brotliCompressSync],
  ] as const)("a body in %s is decoded although nobody asked for it", async (encoding, compress) => {
    const compressed = compress('{"text":"hi"}');
    const server = await serveHttp((_request, response) => {
      response.writeHead(200, { "content-encoding": encoding });
      response.end(compressed);
    });
    const exchange = await ask(server);
    expect(text(exchange)).toBe('{"text":"hi"}');
    expect(exchange.bodyBytes).toBe(compressed.length);
  });

  it("a body that is not in the encoding it claims, and a bomb, are kept as they came", async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000));
    const bodies = [Buffer.from("plain"), bomb];
    for (const body of bodies) {
      const server = await serveHttp((_request, response) => {
        response.writeHead(200, { "content-encoding": "gzip" });
        response.end(body);
      });
      const exchange = await ask(server);
      expect(exchange).toMatchObject({ status: 200, bodyBytes: body.length });
      expect(Buffer.from(exchange.body ?? [])).toEqual(body.subarray(0, 64 * 1024));
    }
  });

  it("10 MB are read, 64 KiB are kept", async () => {
    const server = await serveHttp((_request, response) => response.end(Buffer.alloc(10_000_000, "a")));
    const exchange = await ask(server);
    expect(exchange).toMatchObject({ status: 200, bodyBytes: 10_000_000 });
    expect(exchange.body?.length).toBe(64 * 1024);
  });

  it("many headers are cut at 8 KiB", async () => {
    const headers = Array.from({ length: 200 }, (_, index) => `X-${index}: ${"h".repeat(100)}\r\n`).join("");
    const exchange = await ask(await says(`HTTP/1.1 200 OK\r\n${headers}content-length: 2\r\n\r\nok`));
    expect(exchange).toMatchObject({ status: 200, error: null });
    expect(exchange.headers?.length).toBe(8 * 1024);
  });

  it("interim answers are passed over", async () => {
    const interim = "HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n";
    const server = await says(`HTTP/1.1 100 Continue\r\n\r\n${interim}HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok`);
    const exchange = await ask(server);
    expect(exchange).toMatchObject({ status: 200, error: null });
    expect(text(exchange)).toBe("ok");
  });

  it("an answer without length ends with the connection", async () => {
    const exchange = await ask(await says("HTTP/1.0 200 OK\r\n\r\nuntil the end", (socket) => socket.end()));
    expect(exchange).toMatchObject({ status: 200, bodyBytes: 13 });
  });

  it("bytes after a whole answer do not spoil it, nor the next answer", async () => {
    const surplus = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok and more than was said";
    const exchange = await ask(await says(surplus));
    expect(exchange).toMatchObject({ status: 200, bodyBytes: 2 });
    expect(text(exchange)).toBe("ok");

    const twice = "HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\n1";
    const server = await serveTcp((socket, count) =>
      onRequest(socket, () => socket.write(`${twice}HTTP/1.1 500 No\r\ncontent-length: 1\r\n\r\n${count}`)),
    );
    const used = sender({ connections: 1 });
    for (let round = 0; round < 5; round++) {
      expect(await post(used, { url: server.url })).toMatchObject({ status: 200, bodyBytes: 1 });
    }
  });

  it("bytes that come while nobody asked are not taken for the next answer", async () => {
    const server = await serveTcp((socket, count) =>
      onRequest(socket, () => {
        socket.write("HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\n1");
        if (count === 1) setTimeout(() => socket.write("HTTP/1.1 500 No\r\ncontent-length: 0\r\n\r\n"), 20);
      }),
    );
    const used = sender({ connections: 1 });
    expect(await post(used, { url: server.url })).toMatchObject({ status: 200 });
    await until(() => server.open() === 0, "the spoiled connection is closed");
    expect(await post(used, { url: server.url })).toMatchObject({ status: 200 });
    expect(server.opened()).toBe(2);
  });

  it("an early answer counts, though the request was not read", async () => {
    const server = await serveTcp((socket) => {
      socket.pause();
      socket.write("HTTP/1.1 413 Too Large\r\ncontent-length: 4\r\n\r\nhelp");
    });
    const used = sender({ connections: 1 });
    const exchange = await post(used, { url: server.url, body: `text=${"a".repeat(20_000_000)}` });
    expect(exchange).toMatchObject({ status: 413, bodyBytes: 4 });
    used.close();
    await until(() => used.inFlight === 0, "nothing is under way");
  });
});

describe("answers that are none", () => {
  it("nobody listens", async () => {
    const exchange = await post(sender(), { url: `http://127.0.0.1:${await freePort()}/` });
    expect(exchange).toMatchObject({
      status: null,
      error: "ECONNREFUSED",
      sentWallMs: null,
      headers: null,
      body: null,
    });
  });

  it("silence", async () => {
    const startedMs = performance.now();
    const exchange = await ask(await serveTcp((socket) => socket.resume()), { timeoutMs: 100 });
    expect(exchange).toMatchObject({ error: "ETIMEDOUT", headers: null });
    expect(exchange.durationMs).toBeGreaterThan(80);
    expect(exchange.durationMs).toBeLessThanOrEqual(performance.now() - startedMs);
  });

  const cases: readonly [what: string, server: () => Promise<TestServer>, error: string | RegExp][] = [
    ["closed at once", () => serveTcp((socket) => socket.destroy()), /^(no-answer|ECONNRESET|EPIPE)$/],
    ["closed after the request", () => serveTcp((socket) => onRequest(socket, () => socket.end())), "no-answer"],
    [
      "reset after the request",
      () => serveTcp((socket) => onRequest(socket, () => socket.resetAndDestroy())),
      "ECONNRESET",
    ],
    ["closed in the status line", () => says("HTTP/1.1 20", (socket) => socket.end()), "incomplete-answer"],
    [
      "closed in the headers",
      () => says("HTTP/1.1 200 OK\r\nServer: x", (socket) => socket.end()),
      "incomplete-answer",
    ],
    [
      "closed in the body",
      () => says("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf", (socket) => socket.end()),
      "incomplete-answer",
    ],
    [
      "closed in a chunk",
      () => says("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nff\r\nhalf", (socket) => socket.end()),
      "incomplete-answer",
    ],
    [
      "reset in the body",
      () =>
        says("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf", (socket) =>
          setTimeout(() => socket.resetAndDestroy(), 20),
        ),
      "ECONNRESET",
    ],
    ["garbage", () => says("\u0001\u0002\u0003 garbage\r\n\r\n"), /^HPE_/],
    ["HTTP/0.9", () => says("<html>hello</html>", (socket) => socket.end()), /^HPE_/],
    ["another protocol", () => says("SSH-2.0-OpenSSH_9.2\r\n"), /^HPE_/],
    [
      "a bad chunk",
      () => says("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\nhello\r\n"),
      "HPE_INVALID_CHUNK_SIZE",
    ],
    ["two lengths", () => says("HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\nabc"), /^HPE_/],
    ["a bad length", () => says("HTTP/1.1 200 OK\r\ncontent-length: many\r\n\r\nabc"), /^HPE_/],
    ["a huge header", () => says(`HTTP/1.1 200 OK\r\nX: ${"x".repeat(100_000)}\r\n\r\n`), "HPE_HEADER_OVERFLOW"],
    [
      "another protocol offered",
      () => says("HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n"),
      "unexpected-upgrade",
    ],
    ["interim answers without end", () => says("HTTP/1.1 100 Continue\r\n\r\n".repeat(1000)), "too-many-1xx"],
  ];
  it.each(cases)("%s", async (_what, server, error) => {
    const exchange = await ask(await server());
    expect(exchange.error).toMatch(typeof error === "string" ? new RegExp(`^${error}$`) : error);
  });

  it("what came of a broken answer is kept", async () => {
    const exchange = await ask(
      await says("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf", (socket) => socket.end()),
    );
    expect(exchange).toMatchObject({ status: null, headers: "content-length: 100", bodyBytes: 4 });
    expect(text(exchange)).toBe("half");
  });

  it("a body without end, as fast as it can", async () => {
    const server = await serveTcp((socket) => {
      socket.on("error", () => undefined);
      onRequest(socket, () => {
        socket.write("HTTP/1.1 200 OK\r\n\r\n");
        const pour = (): void => {
          while (!socket.destroyed && socket.write(Buffer.alloc(65_536, "x")));
        };
        socket.on("drain", pour);
        pour();
      });
    });
    const exchange = await ask(server, { timeoutMs: 10_000 });
    expect(exchange).toMatchObject({ status: null, error: "body-too-large" });
    expect(exchange.body?.length).toBe(64 * 1024);
    expect(exchange.bodyBytes).toBeLessThan(33 * 1024 * 1024);
  });

  it("a body without end, drop by drop", async () => {
    const server = await serveHttp((_request, response) => {
      const timer = setInterval(() => response.write("drop"), 10);
      response.on("close", () => clearInterval(timer));
    });
    const exchange = await ask(server, { timeoutMs: 150 });
    expect(exchange).toMatchObject({ status: null, error: "ETIMEDOUT" });
    expect(text(exchange)).toMatch(/^(drop)+$/);
  });

  it("an answer that comes byte by byte is in time only when all of it is", async () => {
    const answer = "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n";
    const slowly = async (everyMs: number): Promise<HttpResult> => {
      const server = await serveTcp((socket) =>
        onRequest(socket, () => {
          let at = 0;
          const timer = setInterval(
            () => (at < answer.length ? socket.write(answer.charAt(at++)) : clearInterval(timer)),
            everyMs,
          );
          socket.on("close", () => clearInterval(timer));
        }),
      );
      return ask(server, { timeoutMs: 300 });
    };
    expect(await slowly(1)).toMatchObject({ status: 200 });
    expect(await slowly(50)).toMatchObject({ error: "ETIMEDOUT" });
  });
});

describe("connections", () => {
  it("are kept and used again", async () => {
    const server = await serveHttp((_request, response) => response.end("ok"));
    const used = sender({ connections: 2 });
    await acquaint(used, server);
    for (let round = 0; round < 10; round++)
      expect(await post(used, { url: server.url })).toMatchObject({ status: 200 });
    expect(server.opened()).toBe(2);
  });

  it("are at most as many as allowed, and requests keep their order", async () => {
    const order: string[] = [];
    const server = await serveHttp((request, response) => {
      order.push(request.url ?? "");
      setTimeout(() => response.end(), 2);
    });
    const used = sender({ connections: 4 });
    await acquaint(used, server);
    order.length = 0;
    const urls = Array.from({ length: 60 }, (_, index) => `${server.url}${index}`);
    const exchanges = urls.map((url) => post(used, { url }));
    expect(used.inFlight).toBe(4);
    expect(used.waitingForConnection).toBe(56);
    for (const exchange of await Promise.all(exchanges)) expect(exchange.status).toBe(200);
    expect(server.peak()).toBe(4);
    expect(server.opened()).toBe(5);
    // Four connections race each other, but nobody overtakes by more than that.
    order.forEach((url, index) => expect(Math.abs(Number(url.slice(1)) - index)).toBeLessThan(4));
  });

  it("to several servers share the bound, idle ones included", async () => {
    const servers = await Promise.all(
      Array.from({ length: 5 }, () => serveHttp((_request, response) => response.end())),
    );
    const used = sender({ connections: 2 });
    for (let round = 0; round < 20; round++) {
      const { url } = servers[round % 5] as TestServer;
      expect(await post(used, { url })).toMatchObject({ status: 200 });
      await until(() => servers.reduce((sum, server) => sum + server.open(), 0) <= 2, "at most two are open");
    }
  });

  it("time in the queue is not the receiver's", async () => {
    let wallMs = 0;
    const server = await serveHttp((_request, response) => {
      wallMs += 60;
      response.end();
    });
    const used = sender({ connections: 1, wall: () => wallMs });
    const exchanges = await Promise.all(
      Array.from({ length: 5 }, () => post(used, { url: server.url, timeoutMs: 250 })),
    );
    // The last of them waits for 240 ms in the queue, and is answered 300 ms after it was posted.
    for (const exchange of exchanges) expect(exchange).toMatchObject({ status: 200, postedWallMs: 0, durationMs: 60 });
    expect(exchanges.map(({ sentWallMs }) => sentWallMs)).toEqual([0, 60, 120, 180, 240]);
  });

  it("are closed by the client when they are idle, although the server never closes one", async () => {
    const server = await says("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n");
    const used = sender();
    await post(used, { url: server.url });
    await post(used, { url: server.url });
    expect(server.opened()).toBe(2); // the first one is watched, the second one kept
    await until(() => server.open() === 0, "the idle connection is closed");
  });

  it.each([1, 10])(
    "a server that closes without a word after each answer: %d at once, no false failure",
    async (connections) => {
      let requests = 0;
      const server = await serveTcp((socket) =>
        onRequest(socket, () => {
          requests++;
          socket.end("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
        }),
      );
      const used = sender({ connections });
      const exchanges = await Promise.all(Array.from({ length: 100 }, () => post(used, { url: server.url })));
      expect(exchanges.map(({ status, error }) => error ?? status)).toEqual(Array.from({ length: 100 }, () => 200));
      expect(requests).toBe(100);
    },
  );

  it("a server that keeps connections no longer costs one false failure a connection, not more", async () => {
    let isKeeping = true;
    const server = await serveTcp((socket) =>
      onRequest(socket, () => {
        socket.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
        if (!isKeeping) socket.end();
      }),
    );
    const used = sender({ connections: 1 });
    await acquaint(used, server);
    isKeeping = false;
    const exchanges = await Promise.all(Array.from({ length: 30 }, () => post(used, { url: server.url })));
    expect(exchanges.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(29);
  });

  it("an answer that takes longer than a connection may idle is awaited", async () => {
    const server = await serveHttp((_request, response) => setTimeout(() => response.end(), 1300));
    expect(await post(sender(), { url: server.url })).toMatchObject({ status: 200 });
  });

  it("nothing is sent twice when a kept connection breaks", async () => {
    const requests: number[] = [];
    const server = await serveTcp((socket, count) =>
      onRequest(socket, () => {
        requests.push(count);
        if (requests.length === 3) socket.resetAndDestroy();
        else socket.write("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n");
      }),
    );
    const used = sender({ connections: 1 });
    await acquaint(used, server);
    expect(await post(used, { url: server.url })).toMatchObject({ status: 200 });
    expect(await post(used, { url: server.url })).toMatchObject({ status: null, error: "ECONNRESET" });
    expect(await post(used, { url: server.url })).toMatchObject({ status: 200 });
    expect(requests).toEqual([1, 2, 2, 3]);
  });

  it("close ends what is under way and what waits", async () => {
    const server = await serveTcp((socket) => socket.resume());
    const used = sender({ connections: 2 });
    const exchanges = Array.from({ length: 5 }, () => post(used, { url: server.url }));
    await until(() => server.open() === 2, "two are under way");
    used.close();
    used.close();
    for (const exchange of await Promise.all(exchanges)) expect(exchange.error).toBe("sender-closed");
    await until(() => server.open() === 0, "all connections are closed");
    expect(await post(used, { url: server.url })).toMatchObject({ error: "sender-closed", sentWallMs: null });
  });

  it("an answer that was there in time is not called late because the process was busy", async () => {
    const elsewhere = new Worker(
      `const { createServer } = require("node:http");
       const { parentPort } = require("node:worker_threads");
       const server = createServer((request, response) => response.end());
       server.on("connection", (socket) => socket.on("close", () => parentPort.postMessage("closed")));
       server.listen(0, "127.0.0.1", () => parentPort.postMessage(server.address().port));`,
      { eval: true },
    );
    onTestFinished(async () => void (await elsewhere.terminate()));
    const [port] = (await once(elsewhere, "message")) as [number];
    const url = `http://127.0.0.1:${port}/`;
    const used = sender();
    await post(used, { url });
    await once(elsewhere, "message"); // closed: the first connection was watched
    await post(used, { url });
    const exchange = post(used, { url, timeoutMs: 50 });
    await nextTurn();
    const endsAt = performance.now() + 150;
    while (performance.now() < endsAt);
    expect(await exchange).toMatchObject({ status: 200 });
  });
});

describe("redirects", () => {
  async function hopping(status: number, times: number): Promise<TestServer & { seen: string[] }> {
    const seen: string[] = [];
    const server = await serveHttp((request, response) => {
      let body = "";
      request.on("data", (chunk: Buffer) => (body += chunk.toString()));
      request.on("end", () => {
        const place = Number(/\d+/.exec(request.url ?? "")?.[0] ?? 0);
        seen.push(`${request.method} ${request.url} ${request.headers["content-type"] ?? "-"} ${body}`);
        if (place >= times) return void response.end("here");
        response.writeHead(status, { location: `/${place + 1}` });
        response.end("over there");
      });
    });
    return { ...server, seen };
  }
  const form = "application/x-www-form-urlencoded";

  it("are answers like others where they are not followed", async () => {
    const server = await hopping(301, 1);
    const exchange = await post(sender(), { url: server.url });
    expect(exchange).toMatchObject({ status: 301, redirects: [] });
    expect(server.seen).toHaveLength(1);
  });

  it.each([301, 302, 303])("%d: the POST goes on as a GET without body", async (status) => {
    const server = await hopping(status, 2);
    const used = sender({ redirects: true });
    await acquaint(used, server, "9");
    server.seen.length = 0;
    const exchange = await post(used, { url: server.url });
    expect(exchange).toMatchObject({ status: 200, error: null, redirects: [`${server.url}1`, `${server.url}2`] });
    expect(text(exchange)).toBe("here");
    expect(server.seen).toEqual([`POST / ${form} event=alarm`, "GET /1 - ", "GET /2 - "]);
    expect(server.opened()).toBe(2);
  });

  it.each([307, 308])("%d: the POST is repeated", async (status) => {
    const server = await hopping(status, 1);
    const exchange = await post(sender({ redirects: true }), { url: server.url });
    expect(exchange).toMatchObject({ status: 200, redirects: [`${server.url}1`] });
    expect(server.seen).toEqual([`POST / ${form} event=alarm`, `POST /1 ${form} event=alarm`]);
  });

  it("30 are followed, the 31st is an error", async () => {
    const exchange = await post(sender({ redirects: true }), { url: (await hopping(302, 30)).url });
    expect(exchange).toMatchObject({ status: 200 });
    expect(exchange.redirects).toHaveLength(30);
    const loop = await hopping(302, Infinity);
    expect(await post(sender({ redirects: true }), { url: loop.url })).toMatchObject({
      status: null,
      error: "too-many-redirects",
    });
    expect(loop.seen).toHaveLength(31);
  });

  it("a redirect that names no target is an answer", async () => {
    const server = await serveHttp((_request, response) => response.writeHead(302).end());
    expect(await post(sender({ redirects: true }), { url: server.url })).toMatchObject({ status: 302, redirects: [] });
  });

  it("targets are held to the allowed hosts and to HTTP", async () => {
    const to = async (location: string): Promise<HttpResult> => {
      const server = await serveHttp((_request, response) => response.writeHead(302, { location }).end());
      return post(sender({ redirects: true, isAllowed: allowedHosts([]) }), { url: server.url });
    };
    expect(await to("http://handset-lab.example/")).toMatchObject({ error: "redirect-not-allowed", redirects: [] });
    expect(await to("file:///etc/passwd")).toMatchObject({ error: "bad-redirect" });
    expect(await to("http://[")).toMatchObject({ error: "bad-redirect" });
  });

  it("credentials stay with their server", async () => {
    const other = await serveHttp((request, response) =>
      response.end(`${request.headers.authorization} ${String(request.headers["x-key"])}`),
    );
    const first = await serveHttp((_request, response) => response.writeHead(307, { location: other.url }).end());
    const used = sender({ redirects: true, headers: { authorization: "Token secret", "x-key": "kept" } });
    expect(text(await post(used, { url: first.url }))).toBe("undefined kept");
  });

  it("the timeout covers the whole chain", async () => {
    const server = await serveHttp((request, response) => {
      const place = Number((request.url ?? "").slice(1));
      setTimeout(() => response.writeHead(302, { location: `/${place + 1}` }).end(), 40);
    });
    const exchange = await post(sender({ redirects: true }), { url: server.url, timeoutMs: 200 });
    expect(exchange).toMatchObject({ error: "ETIMEDOUT" });
    expect(exchange.redirects.length).toBeGreaterThan(1);
  });
});

describe("HTTPS", () => {
  const read = (name: string): string => readFileSync(new URL(`tls/${name}`, import.meta.url), "utf8");
  const secure = async (): Promise<string> => {
    const options = { key: read("test-only-key.pem"), cert: read("test-certificate.pem") };
    const { port } = await listen(createHttpsServer(options, (_request, response) => response.end("safe")));
    return `https://localhost:${port}/`;
  };

  it("an own authority is trusted, connections are kept", async () => {
    const used = sender({ ca: read("test-authority.pem"), connections: 1 });
    const url = await secure();
    for (let round = 0; round < 3; round++) {
      const exchange = await post(used, { url });
      expect(exchange).toMatchObject({ status: 200, error: null });
      expect(text(exchange)).toBe("safe");
    }
  });

  it("an unknown authority, and a name that is not in the certificate, are errors", async () => {
    const url = await secure();
    expect(await post(sender(), { url })).toMatchObject({
      status: null,
      error: "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
      sentWallMs: null,
    });
    const other = url.replace("localhost", "127.0.0.2");
    expect(await post(sender({ ca: read("test-authority.pem") }), { url: other })).toMatchObject({
      error: expect.stringMatching(/^(ERR_TLS_CERT_ALTNAME_INVALID|ECONNREFUSED)$/) as unknown,
    });
  });

  it("plain HTTP on the other side, and a bad authority", async () => {
    const plain = await serveHttp((_request, response) => response.end());
    const exchange = await post(sender(), { url: plain.url.replace("http:", "https:") });
    expect(exchange.error).toMatch(/^(ERR_SSL|EPROTO)/);
    expect(() => new HttpClient({ ca: "-----BEGIN CERTIFICATE-----\nnonsense\n-----END CERTIFICATE-----" })).toThrow(
      /not a certificate/,
    );
  });
});

it("postOnce posts once and leaves nothing open", async () => {
  const server = await serveHttp((_request, response) => response.end("ok"));
  const exchange = await postOnce({ url: server.url, body: "event=alarm", timeoutMs: 1000, headers: { "x-a": "b" } });
  expect(exchange).toMatchObject({ status: 200, bodyBytes: 2 });
  await until(() => server.open() === 0, "the connection is closed");
});
