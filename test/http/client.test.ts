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

function newClient(options: HttpClientOptions = {}): HttpClient {
  const client = new HttpClient(options);
  onTestFinished(() => client.close());
  return client;
}

/** Posts to the server, then with the same client to a correct server: a faulty answer must not harm the next one. */
async function postAndCheckNext(
  server: TestServer,
  options: { timeoutMs?: number } & HttpClientOptions = {},
): Promise<HttpResult> {
  const { timeoutMs = 2000, ...rest } = options;
  const client = newClient({ connections: 1, ...rest });
  const result = await post(client, { url: server.url, timeoutMs });
  const correct = await serveHttp((_request, response) => response.end("fine"));
  const next = await post(client, { url: correct.url });
  expect(next).toMatchObject({ status: 200, error: null });
  client.close();
  await until(() => server.open() === 0 && correct.open() === 0, "all connections are closed");
  expect((result.status === null) !== (result.error === null)).toBe(true);
  return result;
}

/** Lets a client learn that a server keeps connections open: the client watches the first one, then closes it. */
async function learnKeepAlive(client: HttpClient, server: TestServer, path = ""): Promise<void> {
  expect(await post(client, { url: `${server.url}${path}` })).toMatchObject({ error: null });
  await until(() => server.open() === 0, "the first connection was watched");
}

function bodyText(result: HttpResult): string | null {
  return result.body === null ? null : Buffer.from(result.body).toString();
}

describe("a request", () => {
  it("has the method, headers and body of the service", async () => {
    let seen = "";
    const server = await serveTcp((socket) =>
      onRequest(socket, (request) => {
        seen = request;
        socket.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
      }),
    );
    const body = "event=mo_sms&phone=%2B12065550142&text=50%25+%26+more";
    await post(newClient({ headers: { "X-Key": "secret", "User-Agent": "mine" } }), {
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
  ])("with a URL that ends in %j has the target %j", async (given, expected) => {
    const server = await serveHttp((request, response) => response.end(request.url));
    const result = await post(newClient(), { url: `http://127.0.0.1:${server.port}${given}` });
    expect(bodyText(result)).toBe(expected);
  });

  it("sends credentials of the URL as a Basic header", async () => {
    const server = await serveHttp((request, response) => response.end(request.headers.authorization));
    const result = await post(newClient(), { url: `http://us%40er:p%C3%A4ss@127.0.0.1:${server.port}/` });
    expect(bodyText(result)).toBe(`Basic ${Buffer.from("us@er:päss").toString("base64")}`);
  });

  it.each(["ftp://127.0.0.1/", "127.0.0.1:80", "http://", "http://a b/", ""])(
    "%j is refused as a bad URL",
    async (url) => {
      expect(await post(newClient(), { url })).toMatchObject({ status: null, error: "bad-url", sentWallMs: null });
    },
  );

  it("headers that frame a request or cannot be sent are refused by the constructor", () => {
    expect(() => new HttpClient({ headers: { "Content-Length": "3" } })).toThrow(
      /'Content-Length' is set by the sender/,
    );
    expect(() => new HttpClient({ headers: { "a b": "3" } })).toThrow(RangeError);
    expect(() => new HttpClient({ headers: { a: "x\r\ny: z" } })).toThrow(RangeError);
    expect(() => new HttpClient({ connections: 0 })).toThrow(RangeError);
  });

  it("is not sent to a host that is not allowed", async () => {
    const guarded = newClient({ isAllowed: allowedHosts([]) });
    expect(await post(guarded, { url: "http://handset-lab.example/" })).toMatchObject({ error: "host-not-allowed" });
  });
});

describe("an answer", () => {
  it("gives status, headers, body and times", async () => {
    const server = await serveHttp((_request, response) => {
      response.writeHead(201, { "X-One": "1", "Set-Cookie": ["a=1", "b=2"] });
      response.end('{"text":"hi"}');
    });
    const result = await postAndCheckNext(server);
    expect(result).toMatchObject({ status: 201, error: null, bodyBytes: 13, redirects: [] });
    expect(bodyText(result)).toBe('{"text":"hi"}');
    expect(result.headers?.split("\n").slice(0, 3)).toEqual(["X-One: 1", "Set-Cookie: a=1", "Set-Cookie: b=2"]);
    expect(result.sentWallMs).toBeGreaterThanOrEqual(0);
    expect(result.durationMs).toBeGreaterThan(0);
  });

  it.each([200, 202, 204, 304, 302, 400, 404, 410, 429, 500, 503, 599, 999])("status %d", async (status) => {
    const server = await serveHttp((_request, response) => {
      response.writeHead(status, status === 302 ? { location: "/elsewhere" } : {});
      response.end();
    });
    expect(await postAndCheckNext(server)).toMatchObject({
      status,
      error: null,
      body: null,
      bodyBytes: 0,
      redirects: [],
    });
  });

  it.each([
    ["gzip", gzipSync],
    ["x-gzip", gzipSync],
    ["deflate", deflateSync],
    ["deflate", deflateRawSync],
    ["br", brotliCompressSync],
  ] as const)("a body in %s is decoded although the request accepts only identity", async (encoding, compress) => {
    const compressed = compress('{"text":"hi"}');
    const server = await serveHttp((_request, response) => {
      response.writeHead(200, { "content-encoding": encoding });
      response.end(compressed);
    });
    const result = await postAndCheckNext(server);
    expect(bodyText(result)).toBe('{"text":"hi"}');
    expect(result.bodyBytes).toBe(compressed.length);
  });

  it("a body that does not decode, and a decompression bomb, are kept undecoded", async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000));
    const bodies = [Buffer.from("plain"), bomb];
    for (const body of bodies) {
      const server = await serveHttp((_request, response) => {
        response.writeHead(200, { "content-encoding": "gzip" });
        response.end(body);
      });
      const result = await postAndCheckNext(server);
      expect(result).toMatchObject({ status: 200, bodyBytes: body.length });
      expect(Buffer.from(result.body ?? [])).toEqual(body.subarray(0, 64 * 1024));
    }
  });

  it("of a body of 10 MB, 64 KiB are kept", async () => {
    const server = await serveHttp((_request, response) => response.end(Buffer.alloc(10_000_000, "a")));
    const result = await postAndCheckNext(server);
    expect(result).toMatchObject({ status: 200, bodyBytes: 10_000_000 });
    expect(result.body?.length).toBe(64 * 1024);
  });

  it("headers are cut at 8 KiB", async () => {
    const headers = Array.from({ length: 200 }, (_, index) => `X-${index}: ${"h".repeat(100)}\r\n`).join("");
    const result = await postAndCheckNext(await says(`HTTP/1.1 200 OK\r\n${headers}content-length: 2\r\n\r\nok`));
    expect(result).toMatchObject({ status: 200, error: null });
    expect(result.headers?.length).toBe(8 * 1024);
  });

  it("interim answers are skipped", async () => {
    const interim = "HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n";
    const server = await says(`HTTP/1.1 100 Continue\r\n\r\n${interim}HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok`);
    const result = await postAndCheckNext(server);
    expect(result).toMatchObject({ status: 200, error: null });
    expect(bodyText(result)).toBe("ok");
  });

  it("a body without a length ends with the connection", async () => {
    const result = await postAndCheckNext(await says("HTTP/1.0 200 OK\r\n\r\nuntil the end", (socket) => socket.end()));
    expect(result).toMatchObject({ status: 200, bodyBytes: 13 });
  });

  it("bytes after a complete answer change neither it nor the next answer", async () => {
    const surplus = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok and surplus bytes";
    const result = await postAndCheckNext(await says(surplus));
    expect(result).toMatchObject({ status: 200, bodyBytes: 2 });
    expect(bodyText(result)).toBe("ok");

    const twice = "HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\n1";
    const server = await serveTcp((socket, count) =>
      onRequest(socket, () => socket.write(`${twice}HTTP/1.1 500 No\r\ncontent-length: 1\r\n\r\n${count}`)),
    );
    const client = newClient({ connections: 1 });
    for (let round = 0; round < 5; round++) {
      expect(await post(client, { url: server.url })).toMatchObject({ status: 200, bodyBytes: 1 });
    }
  });

  it("bytes without a request are not read as the next answer", async () => {
    const server = await serveTcp((socket, count) =>
      onRequest(socket, () => {
        socket.write("HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\n1");
        if (count === 1) setTimeout(() => socket.write("HTTP/1.1 500 No\r\ncontent-length: 0\r\n\r\n"), 20);
      }),
    );
    const client = newClient({ connections: 1 });
    expect(await post(client, { url: server.url })).toMatchObject({ status: 200 });
    await until(() => server.open() === 0, "the connection with surplus bytes is closed");
    expect(await post(client, { url: server.url })).toMatchObject({ status: 200 });
    expect(server.opened()).toBe(2);
  });

  it("counts before the server has read the request", async () => {
    const server = await serveTcp((socket) => {
      socket.pause();
      socket.write("HTTP/1.1 413 Too Large\r\ncontent-length: 4\r\n\r\nhelp");
    });
    const client = newClient({ connections: 1 });
    const result = await post(client, { url: server.url, body: `text=${"a".repeat(20_000_000)}` });
    expect(result).toMatchObject({ status: 413, bodyBytes: 4 });
    client.close();
    await until(() => client.inFlight === 0, "no request is in flight");
  });
});

describe("a failure", () => {
  it("no server listens", async () => {
    const result = await post(newClient(), { url: `http://127.0.0.1:${await freePort()}/` });
    expect(result).toMatchObject({
      status: null,
      error: "ECONNREFUSED",
      sentWallMs: null,
      headers: null,
      body: null,
    });
  });

  it("the server does not answer", async () => {
    const startedMs = performance.now();
    const result = await postAndCheckNext(await serveTcp((socket) => socket.resume()), { timeoutMs: 100 });
    expect(result).toMatchObject({ error: "ETIMEDOUT", headers: null });
    // The duration starts when the request is written, the timeout before the connection opens.
    const connectMs = result.sentWallMs === null ? 0 : result.sentWallMs - (result.postedWallMs ?? NaN);
    expect(connectMs + result.durationMs).toBeGreaterThan(100 - 0.001);
    expect(result.durationMs).toBeLessThanOrEqual(performance.now() - startedMs);
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
    const result = await postAndCheckNext(await server());
    expect(result.error).toMatch(typeof error === "string" ? new RegExp(`^${error}$`) : error);
  });

  it("keeps the received part of an incomplete answer", async () => {
    const result = await postAndCheckNext(
      await says("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf", (socket) => socket.end()),
    );
    expect(result).toMatchObject({ status: null, headers: "content-length: 100", bodyBytes: 4 });
    expect(bodyText(result)).toBe("half");
  });

  it("an endless body, sent at full speed", async () => {
    const server = await serveTcp((socket) => {
      socket.on("error", () => undefined);
      onRequest(socket, () => {
        socket.write("HTTP/1.1 200 OK\r\n\r\n");
        const fill = (): void => {
          while (!socket.destroyed && socket.write(Buffer.alloc(65_536, "x")));
        };
        socket.on("drain", fill);
        fill();
      });
    });
    const result = await postAndCheckNext(server, { timeoutMs: 10_000 });
    expect(result).toMatchObject({ status: null, error: "body-too-large" });
    expect(result.body?.length).toBe(64 * 1024);
    expect(result.bodyBytes).toBeLessThan(33 * 1024 * 1024);
  });

  it("an endless body, sent slowly", async () => {
    const server = await serveHttp((_request, response) => {
      const timer = setInterval(() => response.write("drop"), 10);
      response.on("close", () => clearInterval(timer));
    });
    const result = await postAndCheckNext(server, { timeoutMs: 150 });
    expect(result).toMatchObject({ status: null, error: "ETIMEDOUT" });
    expect(bodyText(result)).toMatch(/^(drop)+$/);
  });

  it("an answer that comes byte by byte must be complete within the timeout", async () => {
    const answer = "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n";
    const answerEvery = async (everyMs: number): Promise<HttpResult> => {
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
      return postAndCheckNext(server, { timeoutMs: 300 });
    };
    expect(await answerEvery(1)).toMatchObject({ status: 200 });
    expect(await answerEvery(50)).toMatchObject({ error: "ETIMEDOUT" });
  });
});

describe("connections", () => {
  it("are kept and reused", async () => {
    const server = await serveHttp((_request, response) => response.end("ok"));
    const client = newClient({ connections: 2 });
    await learnKeepAlive(client, server);
    for (let round = 0; round < 10; round++)
      expect(await post(client, { url: server.url })).toMatchObject({ status: 200 });
    expect(server.opened()).toBe(2);
  });

  it("are at most `connections`, and queued requests keep their order", async () => {
    const order: string[] = [];
    const server = await serveHttp((request, response) => {
      order.push(request.url ?? "");
      setTimeout(() => response.end(), 2);
    });
    const client = newClient({ connections: 4 });
    await learnKeepAlive(client, server);
    order.length = 0;
    const urls = Array.from({ length: 60 }, (_, index) => `${server.url}${index}`);
    const results = urls.map((url) => post(client, { url }));
    expect(client.inFlight).toBe(4);
    expect(client.waitingForConnection).toBe(56);
    for (const result of await Promise.all(results)) expect(result.status).toBe(200);
    expect(server.peak()).toBe(4);
    expect(server.opened()).toBe(5);
    // Four connections are used at the same time, so a request can overtake at most three others.
    order.forEach((url, index) => expect(Math.abs(Number(url.slice(1)) - index)).toBeLessThan(4));
  });

  it("to several servers share the limit, idle ones included", async () => {
    const servers = await Promise.all(
      Array.from({ length: 5 }, () => serveHttp((_request, response) => response.end())),
    );
    const client = newClient({ connections: 2 });
    for (let round = 0; round < 20; round++) {
      const { url } = servers[round % 5] as TestServer;
      expect(await post(client, { url })).toMatchObject({ status: 200 });
      await until(() => servers.reduce((sum, server) => sum + server.open(), 0) <= 2, "at most two are open");
    }
  });

  it("the timeout and the duration of a request do not include its time in the queue", async () => {
    let wallMs = 0;
    const server = await serveHttp((_request, response) => {
      wallMs += 60;
      response.end();
    });
    const client = newClient({ connections: 1, wall: () => wallMs });
    const results = await Promise.all(
      Array.from({ length: 5 }, () => post(client, { url: server.url, timeoutMs: 250 })),
    );
    // The last request waits 240 ms in the queue, and its answer comes 300 ms after it was posted.
    for (const result of results) expect(result).toMatchObject({ status: 200, postedWallMs: 0, durationMs: 60 });
    expect(results.map(({ sentWallMs }) => sentWallMs)).toEqual([0, 60, 120, 180, 240]);
  });

  it("are closed by the client when they are idle", async () => {
    const server = await says("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n");
    const client = newClient();
    await post(client, { url: server.url });
    await post(client, { url: server.url });
    expect(server.opened()).toBe(2); // the first one is watched, the second one kept
    await until(() => server.open() === 0, "the idle connection is closed");
  });

  it.each([1, 10])(
    "a server that closes after each answer without `Connection: close`: no request fails, with %d connections",
    async (connections) => {
      let requests = 0;
      const server = await serveTcp((socket) =>
        onRequest(socket, () => {
          requests++;
          socket.end("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
        }),
      );
      const client = newClient({ connections });
      const results = await Promise.all(Array.from({ length: 100 }, () => post(client, { url: server.url })));
      expect(results.map(({ status, error }) => error ?? status)).toEqual(Array.from({ length: 100 }, () => 200));
      expect(requests).toBe(100);
    },
  );

  it("a server that stops keeping connections fails at most one request for each connection", async () => {
    let isKeptAlive = true;
    const server = await serveTcp((socket) =>
      onRequest(socket, () => {
        socket.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
        if (!isKeptAlive) socket.end();
      }),
    );
    const client = newClient({ connections: 1 });
    await learnKeepAlive(client, server);
    isKeptAlive = false;
    const results = await Promise.all(Array.from({ length: 30 }, () => post(client, { url: server.url })));
    expect(results.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(29);
  });

  it("an answer may take longer than the idle limit of a connection", async () => {
    const server = await serveHttp((_request, response) => setTimeout(() => response.end(), 1300));
    expect(await post(newClient(), { url: server.url })).toMatchObject({ status: 200 });
  });

  it("a request is not sent again when a kept connection breaks", async () => {
    const requests: number[] = [];
    const server = await serveTcp((socket, count) =>
      onRequest(socket, () => {
        requests.push(count);
        if (requests.length === 3) socket.resetAndDestroy();
        else socket.write("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n");
      }),
    );
    const client = newClient({ connections: 1 });
    await learnKeepAlive(client, server);
    expect(await post(client, { url: server.url })).toMatchObject({ status: 200 });
    expect(await post(client, { url: server.url })).toMatchObject({ status: null, error: "ECONNRESET" });
    expect(await post(client, { url: server.url })).toMatchObject({ status: 200 });
    expect(requests).toEqual([1, 2, 2, 3]);
  });

  it("close ends requests in flight and in the queue", async () => {
    const server = await serveTcp((socket) => socket.resume());
    const client = newClient({ connections: 2 });
    const results = Array.from({ length: 5 }, () => post(client, { url: server.url }));
    await until(() => server.open() === 2, "two are in flight");
    client.close();
    client.close();
    for (const result of await Promise.all(results)) expect(result.error).toBe("sender-closed");
    await until(() => server.open() === 0, "all connections are closed");
    expect(await post(client, { url: server.url })).toMatchObject({ error: "sender-closed", sentWallMs: null });
  });

  it("an answer that arrived in time while the process was busy is no timeout", async () => {
    const serverThread = new Worker(
      `const { createServer } = require("node:http");
       const { parentPort } = require("node:worker_threads");
       const server = createServer((request, response) => response.end());
       server.on("connection", (socket) => socket.on("close", () => parentPort.postMessage("closed")));
       server.listen(0, "127.0.0.1", () => parentPort.postMessage(server.address().port));`,
      { eval: true },
    );
    onTestFinished(async () => void (await serverThread.terminate()));
    const [port] = (await once(serverThread, "message")) as [number];
    const url = `http://127.0.0.1:${port}/`;
    const client = newClient();
    await post(client, { url });
    await once(serverThread, "message"); // closed: the first connection was watched
    await post(client, { url });
    const result = post(client, { url, timeoutMs: 50 });
    await nextTurn();
    const endsAt = performance.now() + 150;
    while (performance.now() < endsAt);
    expect(await result).toMatchObject({ status: 200 });
  });
});

describe("redirects", () => {
  async function serveRedirects(status: number, hops: number): Promise<TestServer & { seen: string[] }> {
    const seen: string[] = [];
    const server = await serveHttp((request, response) => {
      let body = "";
      request.on("data", (chunk: Buffer) => (body += chunk.toString()));
      request.on("end", () => {
        const hop = Number(/\d+/.exec(request.url ?? "")?.[0] ?? 0);
        seen.push(`${request.method} ${request.url} ${request.headers["content-type"] ?? "-"} ${body}`);
        if (hop >= hops) return void response.end("here");
        response.writeHead(status, { location: `/${hop + 1}` });
        response.end("over there");
      });
    });
    return { ...server, seen };
  }
  const form = "application/x-www-form-urlencoded";

  it("are plain answers unless they are followed", async () => {
    const server = await serveRedirects(301, 1);
    const result = await post(newClient(), { url: server.url });
    expect(result).toMatchObject({ status: 301, redirects: [] });
    expect(server.seen).toHaveLength(1);
  });

  it.each([301, 302, 303])("%d: a GET without a body follows the POST", async (status) => {
    const server = await serveRedirects(status, 2);
    const client = newClient({ redirects: true });
    await learnKeepAlive(client, server, "9");
    server.seen.length = 0;
    const result = await post(client, { url: server.url });
    expect(result).toMatchObject({ status: 200, error: null, redirects: [`${server.url}1`, `${server.url}2`] });
    expect(bodyText(result)).toBe("here");
    expect(server.seen).toEqual([`POST / ${form} event=alarm`, "GET /1 - ", "GET /2 - "]);
    expect(server.opened()).toBe(2);
  });

  it.each([307, 308])("%d: the POST is repeated", async (status) => {
    const server = await serveRedirects(status, 1);
    const result = await post(newClient({ redirects: true }), { url: server.url });
    expect(result).toMatchObject({ status: 200, redirects: [`${server.url}1`] });
    expect(server.seen).toEqual([`POST / ${form} event=alarm`, `POST /1 ${form} event=alarm`]);
  });

  it("30 are followed, the 31st is an error", async () => {
    const result = await post(newClient({ redirects: true }), { url: (await serveRedirects(302, 30)).url });
    expect(result).toMatchObject({ status: 200 });
    expect(result.redirects).toHaveLength(30);
    const loop = await serveRedirects(302, Infinity);
    expect(await post(newClient({ redirects: true }), { url: loop.url })).toMatchObject({
      status: null,
      error: "too-many-redirects",
    });
    expect(loop.seen).toHaveLength(31);
  });

  it("without a Location are plain answers", async () => {
    const server = await serveHttp((_request, response) => response.writeHead(302).end());
    expect(await post(newClient({ redirects: true }), { url: server.url })).toMatchObject({
      status: 302,
      redirects: [],
    });
  });

  it("to a host that is not allowed, or not to HTTP, are errors", async () => {
    const redirectTo = async (location: string): Promise<HttpResult> => {
      const server = await serveHttp((_request, response) => response.writeHead(302, { location }).end());
      return post(newClient({ redirects: true, isAllowed: allowedHosts([]) }), { url: server.url });
    };
    expect(await redirectTo("http://handset-lab.example/")).toMatchObject({
      error: "redirect-not-allowed",
      redirects: [],
      refusedUrl: "http://handset-lab.example/",
    });
    expect(await redirectTo("file:///etc/passwd")).toMatchObject({ error: "bad-redirect" });
    expect(await redirectTo("http://[")).toMatchObject({ error: "bad-redirect" });
  });

  it("to another origin drop the credentials", async () => {
    const other = await serveHttp((request, response) =>
      response.end(`${request.headers.authorization} ${String(request.headers["x-key"])}`),
    );
    const first = await serveHttp((_request, response) => response.writeHead(307, { location: other.url }).end());
    const client = newClient({ redirects: true, headers: { authorization: "Token secret", "x-key": "kept" } });
    expect(bodyText(await post(client, { url: first.url }))).toBe("undefined kept");
  });

  it("the timeout covers all of them", async () => {
    const server = await serveHttp((request, response) => {
      const hop = Number((request.url ?? "").slice(1));
      setTimeout(() => response.writeHead(302, { location: `/${hop + 1}` }).end(), 40);
    });
    const result = await post(newClient({ redirects: true }), { url: server.url, timeoutMs: 200 });
    expect(result).toMatchObject({ error: "ETIMEDOUT" });
    expect(result.redirects.length).toBeGreaterThan(1);
  });
});

describe("HTTPS", () => {
  const read = (name: string): string => readFileSync(new URL(`tls/${name}`, import.meta.url), "utf8");
  const secure = async (): Promise<string> => {
    const options = { key: read("test-only-key.pem"), cert: read("test-certificate.pem") };
    const { port } = await listen(createHttpsServer(options, (_request, response) => response.end("safe")));
    return `https://localhost:${port}/`;
  };

  it("an authority in `ca` is trusted, and connections are kept", async () => {
    const client = newClient({ ca: read("test-authority.pem"), connections: 1 });
    const url = await secure();
    for (let round = 0; round < 3; round++) {
      const result = await post(client, { url });
      expect(result).toMatchObject({ status: 200, error: null });
      expect(bodyText(result)).toBe("safe");
    }
  });

  it("an unknown authority and a name that is not in the certificate are errors", async () => {
    const url = await secure();
    expect(await post(newClient(), { url })).toMatchObject({
      status: null,
      error: "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
      sentWallMs: null,
    });
    const other = url.replace("localhost", "127.0.0.2");
    expect(await post(newClient({ ca: read("test-authority.pem") }), { url: other })).toMatchObject({
      error: expect.stringMatching(/^(ERR_TLS_CERT_ALTNAME_INVALID|ECONNREFUSED)$/) as unknown,
    });
  });

  it("a server without TLS and a `ca` that is not a certificate are errors", async () => {
    const plain = await serveHttp((_request, response) => response.end());
    const result = await post(newClient(), { url: plain.url.replace("http:", "https:") });
    expect(result.error).toMatch(/^(ERR_SSL|EPROTO)/);
    expect(() => new HttpClient({ ca: "-----BEGIN CERTIFICATE-----\nnonsense\n-----END CERTIFICATE-----" })).toThrow(
      /not a certificate/,
    );
  });
});

it("postOnce posts once and closes its connection", async () => {
  const server = await serveHttp((_request, response) => response.end("ok"));
  const result = await postOnce({ url: server.url, body: "event=alarm", timeoutMs: 1000, headers: { "x-a": "b" } });
  expect(result).toMatchObject({ status: 200, bodyBytes: 2 });
  await until(() => server.open() === 0, "the connection is closed");
});
