import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { WebSocket } from "ws";
import { startReceiver } from "../../src/receiver/index.js";
import { type ServedLab, serveReady } from "../end-to-end/served.js";
import { play, smallDay } from "../end-to-end/support.js";

/** Headers that `curl --http2` and Java's HttpClient send with the first request of a connection. */
const H2C = "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA\r\n";

interface RawAnswer {
  readonly status: number;
  readonly body: string;
}

/** Node 26 drops the bytes behind a request to upgrade that has a body: the connection ends with its answer. */
const answersBehindBodies = Number.parseInt(process.versions.node, 10) < 26;

/** A connection for raw bytes. */
class RawClient {
  readonly #socket: Socket;
  #bytes = Buffer.alloc(0);

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on("error", () => undefined);
    socket.on("data", (chunk: Buffer) => (this.#bytes = Buffer.concat([this.#bytes, chunk])));
    onTestFinished(() => void socket.destroy());
  }

  static async to(url: string): Promise<RawClient> {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    await once(socket, "connect");
    return new RawClient(socket);
  }

  write(...parts: string[]): void {
    this.#socket.write(parts.join(""));
  }

  /** Reads the next answer with a Content-Length. @throws Error when the connection ends before it is complete */
  async answer(): Promise<RawAnswer> {
    for (;;) {
      const text = this.#bytes.toString("latin1");
      const end = text.indexOf("\r\n\r\n");
      const length = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, end))?.[1];
      if (end !== -1 && text.length >= end + 4 + Number(length)) {
        const body = text.slice(end + 4, end + 4 + Number(length));
        this.#bytes = this.#bytes.subarray(end + 4 + Number(length));
        return { status: Number(text.slice(9, 12)), body };
      }
      if (this.#socket.readableEnded || this.#socket.destroyed) throw new Error(`closed after: ${text}`);
      await Promise.race([once(this.#socket, "data"), once(this.#socket, "close"), once(this.#socket, "end")]);
    }
  }
}

function head(line: string, ...headers: string[]): string {
  return `${line} HTTP/1.1\r\nHost: localhost\r\n${headers.join("")}\r\n`;
}

function apiHead(lab: ServedLab, line: string, ...headers: string[]): string {
  return head(line, `Authorization: Token ${lab.served.token}\r\n`, ...headers);
}

const JSON_BODY = "Content-Type: application/json\r\n";

describe("a request with an Upgrade header", () => {
  it("is answered as if it had none, and the connection stays open", async () => {
    const lab = await serveReady();
    const client = await RawClient.to(lab.served.url);
    for (let round = 0; round < 30; round++) {
      client.write(apiHead(lab, "GET /api/v2/org.json", H2C));
      expect(await client.answer()).toMatchObject({ status: 200, body: expect.stringContaining("primary_language") });
      client.write(apiHead(lab, "GET /api/v2/org.json"));
      expect((await client.answer()).status).toBe(200);
    }
  });

  it("keeps its body, in one piece, in several, and chunked", async () => {
    const lab = await serveReady();
    let client = await RawClient.to(lab.served.url);
    const named = (name: string): string => JSON.stringify({ name });
    const made = async (): Promise<unknown> => {
      const { status, body } = await client.answer();
      return [status, (JSON.parse(body) as { name: string }).name];
    };
    const post = (length: number): string =>
      apiHead(lab, "POST /api/v2/labels.json", JSON_BODY, `Content-Length: ${length}\r\n`, H2C);
    const whole = named("Whole");
    client.write(post(whole.length), whole);
    expect(await made()).toEqual([201, "Whole"]);

    if (!answersBehindBodies) client = await RawClient.to(lab.served.url);
    const split = named("In pieces");
    client.write(post(split.length));
    await new Promise(setImmediate);
    client.write(split.slice(0, 4));
    await new Promise(setImmediate);
    client.write(split.slice(4));
    expect(await made()).toEqual([201, "In pieces"]);

    if (!answersBehindBodies) client = await RawClient.to(lab.served.url);
    const chunked = named("Chunked");
    client.write(
      apiHead(lab, "POST /api/v2/labels.json", JSON_BODY, "Transfer-Encoding: chunked\r\n", H2C),
      `${chunked.length.toString(16)}\r\n${chunked}\r\n0\r\n\r\n`,
      apiHead(lab, "GET /api/v2/labels.json?name=chunked"),
    );
    expect(await made()).toEqual([201, "Chunked"]);
    await (answersBehindBodies ? client.answer() : expect(client.answer()).rejects.toThrow(/closed after/));
  });

  it("is answered in order among pipelined requests", async () => {
    // The first answer is delayed, so an answer out of order would overtake it.
    const slow = await startReceiver({ delayMs: 50, reply: "{text}", answers: { answers: "reply" } });
    onTestFinished(() => slow.close());
    const client = await RawClient.to(slow.url);
    const event = (text: string, ...headers: string[]): string => {
      const body = `event=mo_sms&phone=%2B12065550142&text=${text}`;
      return head("POST /", ...headers, `Content-Length: ${body.length}\r\n`) + body;
    };
    client.write(event("first"), event("second"), event("third", H2C), event("fourth"), event("fifth", H2C));
    for (const text of ["first", "second", "third"]) expect((await client.answer()).body).toContain(text);
    if (!answersBehindBodies) return expect(client.answer()).rejects.toThrow(/closed after/);
    for (const text of ["fourth", "fifth"]) expect((await client.answer()).body).toContain(text);
  });

  it("is answered by every server: control API, metrics, bundled receiver", async () => {
    const lab = await serveReady({ metrics: { port: 0 } });
    const receiver = await startReceiver({ body: "taken" });
    onTestFinished(() => receiver.close());
    const statusOf = async (url: string, ...headers: string[]): Promise<number> => {
      const client = await RawClient.to(url);
      client.write(head(`GET ${new URL(url).pathname}`, ...headers), head("GET /nowhere"));
      const { status } = await client.answer();
      await client.answer();
      return status;
    };
    const labToken = `Authorization: Token ${lab.served.labToken}\r\n`;
    expect(await statusOf(`${lab.served.url}/lab/clock`, labToken, H2C)).toBe(200);
    expect(await statusOf(lab.served.metrics ?? "", H2C)).toBe(200);
    expect(await statusOf(`${receiver.url}events`, H2C)).toBe(200);
  });

  it("is answered by the APIs of a run", async () => {
    let api: { url: string; token: string; labToken: string } | undefined;
    const statuses: number[] = [];
    await play(smallDay, {
      receiver: "none",
      api: { port: 0 },
      onStart: (start) => (api = start.api),
      beforeStart: async () => {
        const { url = "", token = "", labToken = "" } = api ?? {};
        const client = await RawClient.to(url);
        const json = JSON.stringify({ name: "Upgraded" });
        const post = `${JSON_BODY}Content-Length: ${json.length}\r\n`;
        const own = `Authorization: Token ${token}\r\n`;
        client.write(head("GET /lab/clock", `Authorization: Token ${labToken}\r\n`, H2C));
        client.write(head("GET /api/v2/org.json", own, H2C), head("POST /api/v2/labels.json", own, post, H2C) + json);
        for (let count = 0; count < 3; count++) statuses.push((await client.answer()).status);
      },
    });
    expect(statuses).toEqual([200, 200, 201]);
  });

  it("for a WebSocket that does not exist gets an HTTP answer", async () => {
    const lab = await serveReady();
    const client = await RawClient.to(lab.served.url);
    const webSocket = "Connection: Upgrade\r\nUpgrade: websocket\r\n";
    client.write(apiHead(lab, "GET /api/v2/org.json", webSocket));
    expect((await client.answer()).status).toBe(200);
    for (const target of ["/api/v2/nowhere.json", "/nowhere", "/lab/events/streams"]) {
      client.write(apiHead(lab, `GET ${target}`, webSocket));
      expect([target, (await client.answer()).status]).toEqual([target, 404]);
    }
    const stream = "/lab/events/stream";
    client.write(apiHead(lab, `GET ${stream}`, H2C));
    expect((await client.answer()).status).toBe(404);
    const live = new WebSocket(`${lab.served.url.replace("http", "ws")}${stream}?token=${lab.served.labToken}`);
    onTestFinished(() => live.terminate());
    await once(live, "open");
  });

  it("does no harm when the client disconnects before the answer", async () => {
    const lab = await serveReady();
    for (let round = 0; round < 20; round++) {
      const { hostname, port } = new URL(lab.served.url);
      const socket = connect(Number(port), hostname);
      socket.on("error", () => undefined);
      await once(socket, "connect");
      socket.write(apiHead(lab, "GET /api/v2/org.json") + apiHead(lab, "GET /api/v2/org.json", H2C));
      if (round % 2 === 0) await new Promise(setImmediate);
      socket.resetAndDestroy();
    }
    expect((await lab.api.get("org.json")).status).toBe(200);
  });
});

const hasCurl = spawnSync("curl", ["--version"]).stdout?.toString().includes("HTTP2") === true;

describe.runIf(hasCurl)("curl --http2", () => {
  it("reads and writes", async () => {
    const lab = await serveReady();
    const curl = async (...args: string[]): Promise<string> => {
      const { execFile } = await import("node:child_process");
      return new Promise((resolve, reject) => {
        const options = ["-sS", "--max-time", "20", "--http2", "-w", "\n%{http_code} ", ...args];
        execFile("curl", options, (error, stdout) => (error === null ? resolve(stdout) : reject(error)));
      });
    };
    const authorization = ["-H", `Authorization: Token ${lab.served.token}`];
    const org = `${lab.served.url}/api/v2/org.json`;
    expect(await curl(...authorization, org, org)).toMatch(/primary_language.*\n200.*primary_language.*\n200/s);
    const labels = `${lab.served.url}/api/v2/labels.json`;
    const json = ["-H", "Content-Type: application/json", "-d", '{"name":"By curl"}'];
    expect(await curl(...authorization, ...json, labels)).toMatch(/By curl.*\n201/s);
  });
});
