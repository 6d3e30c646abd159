import { lookup } from "node:dns/promises";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { describe, expect, it, onTestFinished } from "vitest";
import { type HttpResult, HttpClient, type HttpClientOptions } from "../../src/http/index.js";
import { freePort, listen, serveHttp, serveTcp } from "../support/server.js";
import { until } from "../support/until.js";
import { post } from "./posts.js";
import { onRequest, says } from "./servers.js";
import { runs } from "../support/effort.js";

/** Consecutive failures. */
const FAILURES = runs(3000, 100_000);

function newClient(options: HttpClientOptions = {}): HttpClient {
  const client = new HttpClient(options);
  onTestFinished(() => client.close());
  return client;
}

const ok = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";
const chunked = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2;x=y\r\nok\r\n0\r\nx-sum: 1\r\n\r\n";

/** What a server does with a request, and the expected status or error. */
const faults: readonly [what: string, serve: (socket: Socket) => void, result: RegExp][] = [
  ["resets", (socket) => socket.resetAndDestroy(), /^ECONNRESET$/],
  ["half-closes", (socket) => socket.end(), /^no-answer$/],
  ["stalls in a header", (socket) => socket.write("HTTP/1.1 200 OK\r\ncontent-le"), /^ETIMEDOUT$/],
  ["stalls in the body", (socket) => socket.write(ok.slice(0, -1)), /^ETIMEDOUT$/],
  ["stalls in a chunk", (socket) => socket.write(chunked.slice(0, -20)), /^ETIMEDOUT$/],
  ["stalls in a trailer", (socket) => socket.write(chunked.slice(0, -3)), /^ETIMEDOUT$/],
  ["closes in a chunk", (socket) => socket.end(chunked.slice(0, -20)), /^incomplete-answer$/],
  ["answers", (socket) => socket.write(ok), /^200$/],
  ["answers in chunks", (socket) => socket.write(chunked), /^200$/],
  ["answers and closes", (socket) => socket.end(ok), /^200$/],
  [
    "answers byte by byte",
    (socket) => {
      let at = 0;
      const next = (): void => {
        if (at < chunked.length && !socket.destroyed) socket.write(chunked.charAt(at++), () => setImmediate(next));
      };
      next();
    },
    /^200$/,
  ],
];

describe("a receiver that misbehaves", () => {
  it("each faulty answer gives one result, and does not change the results of other requests", async () => {
    const server = await serveTcp((socket) =>
      onRequest(socket, (request) => {
        socket.setNoDelay(true);
        faults[Number(/^POST \/(\d+) /.exec(request)?.[1])]?.[1](socket);
      }),
    );
    const client = newClient({ connections: 20 });
    const posts = Array.from({ length: 22 }, () => faults.map((_fault, index) => index)).flat();
    const results = await Promise.all(
      posts.map((index) => post(client, { url: `${server.url}${index}`, timeoutMs: 300 })),
    );
    results.forEach(({ status, error, body, bodyBytes }, index) => {
      const [what, , result] = faults[posts[index] ?? 0] ?? ["", undefined, /./];
      // When the server closes a kept connection, the next request on it may fail, too.
      expect(`${what}: ${status ?? error}`).toMatch(
        new RegExp(`^${what}: (${result.source.slice(1, -1)}|no-answer|ECONNRESET)$`),
      );
      if (status === 200) expect([bodyBytes, Buffer.from(body ?? []).toString()]).toEqual([2, "ok"]);
    });
    expect(results.filter(({ status }) => status === 200).length).toBeGreaterThan(80);
    expect([client.inFlight, client.waitingForConnection]).toEqual([0, 0]);
    client.close();
    await until(() => server.open() === 0, "all connections are closed");
  });

  it("an answer counts when the server closes without reading a long request", async () => {
    const server = await serveTcp((socket) => {
      socket.once("data", () => {
        socket.pause();
        socket.write("HTTP/1.1 413 Too Large\r\ncontent-length: 4\r\n\r\nhelp", () => socket.destroy());
      });
    });
    const client = newClient({ connections: 2 });
    const body = `text=${"a".repeat(8_000_000)}`;
    const results = await Promise.all(Array.from({ length: 4 }, () => post(client, { url: server.url, body })));
    for (const { status, error } of results) expect(`${status ?? error}`).toMatch(/^(413|ECONNRESET|EPIPE)$/);
    await until(() => server.open() === 0, "no connection with a half-written request is kept");
  });

  it("failures leave no socket and no timer open", async () => {
    const resets = await serveTcp((socket) => onRequest(socket, () => socket.resetAndDestroy()));
    const unusedUrl = `http://127.0.0.1:${await freePort()}/`;
    const client = newClient({ connections: 50 });
    const failTimes = (count: number): Promise<void> =>
      new Promise((resolve) => {
        let left = count;
        for (let index = 0; index < count; index++) {
          const url = index % 2 === 0 ? unusedUrl : resets.url;
          client.post({ url, body: "event=alarm", timeoutMs: 5000 }, ({ status, error }) => {
            expect(`${status ?? error}`).toMatch(/^(ECONNREFUSED|ECONNRESET|EPIPE)$/);
            if (--left === 0) resolve();
          });
        }
      });
    await failTimes(500);
    await until(() => resets.open() === 0, "no connection is open");
    const before = resourcesNow();
    await failTimes(FAILURES);
    expect([client.inFlight, client.waitingForConnection]).toEqual([0, 0]);
    await until(() => resets.open() === 0, "no connection is open");
    await until(() => resourcesNow() <= before + 2, "sockets and timers are gone");
  });
});

/** Number of active sockets and timers in this process. */
function resourcesNow(): number {
  return process.getActiveResourcesInfo().filter((what) => /TCP|Timeout|Immediate|GetAddrInfo/.test(what)).length;
}

describe("posting", () => {
  it("10,000 requests at once: each gets its own answer, over at most 21 connections", async () => {
    const server = await serveTcp((socket) =>
      onRequest(socket, (request) => {
        const [index = ""] = /\d+/.exec(request) ?? [];
        socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${index.length}\r\n\r\n${index}`);
      }),
    );
    const client = newClient({ connections: 20 });
    await post(client, { url: `${server.url}0` });
    await until(() => server.open() === 0, "the first connection was watched");
    const texts = await Promise.all(
      Array.from({ length: 10_000 }, (_, index) => post(client, { url: `${server.url}${index}` })),
    );
    texts.forEach(({ body }, index) => expect(Buffer.from(body ?? []).toString()).toBe(String(index)));
    expect(server.opened()).toBeLessThanOrEqual(21);
    expect([client.inFlight, client.waitingForConnection]).toEqual([0, 0]);
  });

  it("from within `done`: the callback never comes before `post` has returned", async () => {
    const server = await serveHttp((_request, response) => response.end());
    const client = newClient({ connections: 2 });
    let calls = 0;
    await new Promise<void>((resolve) => {
      const postNext = (): void => {
        if (++calls === 200) return resolve();
        let isPosting = true;
        const url = calls % 3 === 0 ? "nonsense" : server.url;
        client.post({ url, body: "", timeoutMs: 5000 }, () => {
          expect(isPosting).toBe(false);
          postNext();
        });
        isPosting = false;
      };
      postNext();
    });
    client.close();
    await until(() => server.open() === 0, "all connections are closed");
  });

  it("a request that is posted while others are withdrawn is not withdrawn", async () => {
    const server = await serveHttp((_request, response) => response.end());
    const client = newClient({ connections: 1 });
    const errors: (string | null)[] = [];
    const first = post(client, { url: server.url });
    const last = new Promise<HttpResult>((resolve) =>
      client.post({ url: server.url, body: "", timeoutMs: 5000 }, ({ error }) => {
        errors.push(error);
        client.post({ url: server.url, body: "", timeoutMs: 5000 }, resolve);
      }),
    );
    client.withdrawUnsent();
    expect(errors).toEqual(["withdrawn"]);
    expect(await first).toMatchObject({ status: 200 });
    expect(await last).toMatchObject({ status: 200 });
  });

  it("40 different timeouts expire each at its own time", async () => {
    const server = await serveTcp((socket) => socket.resume());
    const client = newClient({ connections: 40 });
    const waits = Array.from({ length: 40 }, (_, index) => 40 + ((index * 37) % 40) * 5);
    const results = await Promise.all(waits.map((timeoutMs) => post(client, { url: server.url, timeoutMs })));
    results.forEach(({ error, postedWallMs, sentWallMs, durationMs }, index) => {
      expect(error).toBe("ETIMEDOUT");
      // The duration starts when the request is written, the timeout before the connection opens.
      const connectMs = sentWallMs === null ? 0 : sentWallMs - (postedWallMs ?? NaN);
      expect(connectMs + durationMs).toBeGreaterThan((waits[index] ?? 0) - 0.001);
    });
  });
});

describe("connections", () => {
  it("of HTTP/1.0 are kept only with `Connection: Keep-Alive`", async () => {
    const opened = async (answer: string): Promise<number> => {
      const server = await says(answer);
      const client = newClient({ connections: 1 });
      for (let round = 0; round < 4; round++) {
        expect(await post(client, { url: server.url })).toMatchObject({ status: 200, bodyBytes: 2 });
      }
      return server.opened();
    };
    expect(await opened("HTTP/1.0 200 OK\r\ncontent-length: 2\r\n\r\nok")).toBe(4);
    // The first is watched, then closed; the second is kept.
    expect(await opened("HTTP/1.0 200 OK\r\nconnection: Keep-Alive\r\ncontent-length: 2\r\n\r\nok")).toBe(2);
    expect(await opened("HTTP/1.1 200 OK\r\nconnection: x, Close\r\ncontent-length: 2\r\n\r\nok")).toBe(4);
  });

  it("are closed after half of the server's Keep-Alive timeout", async () => {
    const server = await says("HTTP/1.1 200 OK\r\nkeep-alive: timeout=1, max=9\r\ncontent-length: 0\r\n\r\n");
    let wallMs = 0;
    const client = newClient({ connections: 1, wall: () => wallMs });
    await post(client, { url: server.url });
    await post(client, { url: server.url });
    wallMs = 499;
    await new Promise((resolve) => setTimeout(resolve, 600)); // two sweeps of idle connections
    expect(server.open()).toBe(1);
    wallMs = 500;
    await until(() => server.open() === 0, "the idle connection is closed");
  });

  it("that were idle while the process was busy are not reused", async () => {
    const server = await says("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n");
    const client = newClient({ connections: 1 });
    await post(client, { url: server.url });
    await post(client, { url: server.url });
    expect(server.opened()).toBe(2);
    const endsAt = performance.now() + 1100;
    while (performance.now() < endsAt);
    expect(await post(client, { url: server.url })).toMatchObject({ status: 200 });
    expect(server.opened()).toBe(3);
  });

  it("are opened to IPv6 addresses, and to all addresses of a name", async () => {
    const addresses = (await lookup("localhost", { all: true })).map(({ address }) => address);
    for (const host of ["::1", "127.0.0.1"]) {
      const server = createServer((request, response) => response.end(request.headers.host));
      server.listen(0, host);
      await once(server, "listening");
      onTestFinished(() => void server.close());
      const { port } = server.address() as AddressInfo;
      const name = host === "::1" ? "[::1]" : host;
      for (const hostName of addresses.includes(host) ? [name, "localhost"] : [name]) {
        const result = await post(newClient(), { url: `http://${hostName}:${port}/` });
        expect(Buffer.from(result.body ?? []).toString()).toBe(`${hostName}:${port}`);
      }
    }
  });

  it("over TLS resume sessions, send the host name and carry long bodies", async () => {
    const read = (name: string): string => readFileSync(new URL(`tls/${name}`, import.meta.url), "utf8");
    const seen: string[] = [];
    const server = createHttpsServer(
      { key: read("test-only-key.pem"), cert: read("test-certificate.pem") },
      (request, response) => {
        const socket = request.socket as TLSSocket & { servername?: string };
        let bytes = 0;
        request.on("data", (chunk: Buffer) => (bytes += chunk.length));
        request.on("end", () => {
          seen.push(`${socket.servername} ${socket.alpnProtocol || "-"} ${socket.isSessionReused()} ${bytes}`);
          response.writeHead(200, { connection: "close" }).end(Buffer.alloc(200_000, "x"));
        });
      },
    );
    const { port } = await listen(server);
    const client = newClient({ ca: read("test-authority.pem"), connections: 1 });
    for (const length of [0, 1000, 2_000_000]) {
      const result = await post(client, { url: `https://localhost:${port}/`, body: "ü".repeat(length / 2) });
      expect(result).toMatchObject({ status: 200, bodyBytes: 200_000 });
    }
    expect(seen).toEqual([
      "localhost http/1.1 false 0",
      "localhost http/1.1 true 1000",
      "localhost http/1.1 true 2000000",
    ]);
  });
});
