import { once } from "node:events";
import { createServer, type IncomingMessage, request } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { WebSocket } from "ws";
import { consoleStream, type LiveSource } from "../../src/console/index.js";
import { answerUpgrades } from "../../src/servers/index.js";
import { emptyScenario, type ServedLab, serveReady, serving } from "../end-to-end/served.js";
import { ConsoleClient } from "./console-client.js";

const hello = ({ served }: ServedLab): { token: string } => ({ token: served.labToken });

/** A request with headers that fetch does not let a caller set. */
async function ask(
  { served }: ServedLab,
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<{ status: number | undefined; headers: Readonly<Record<string, unknown>>; body: string }> {
  const asked = request(`${served.url}${path}`, { headers }).end();
  const [response] = (await once(asked, "response")) as [IncomingMessage];
  let body = "";
  for await (const part of response.setEncoding("utf8")) body += String(part);
  return { status: response.statusCode, headers: response.headers, body };
}

describe("without the lab's token", () => {
  it.each<[string, unknown]>([
    ["no token", {}],
    ["a wrong token", { token: "0".repeat(40) }],
    ["a token that is no text", { token: ["a"] }],
    ["no JSON", "token"],
    ["a binary message", Buffer.from("{}")],
  ])("%s: the stream sends nothing and ends", async (_name, message) => {
    const lab = await serving({ scenario: emptyScenario() });
    const client = await ConsoleClient.open(lab.served.url, message);
    expect(await client.closed).toBe(4401);
    expect(client.frames).toEqual([]);
  });

  it("no message in time: the stream ends with another code, after which the page tries again", async () => {
    const lab = { keepsHistory: false } as LiveSource<never>;
    const stream = await consoleStream({ lab, admits: () => true, refusalOf: () => undefined, helloMs: 10 });
    const server = createServer().listen(0, "127.0.0.1");
    answerUpgrades(server, stream);
    await once(server, "listening");
    onTestFinished(() => void server.close());
    const socket = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}/console/stream`);
    const [code] = (await once(socket, "close")) as [number];
    expect(code).toBe(4408);
    stream.close();
  });

  it("the account's tokens do not open the stream, and an oversized message ends it", async () => {
    const lab = await serving({ scenario: emptyScenario() });
    const { url, token, labToken } = lab.served;
    expect(await (await ConsoleClient.open(url, { token })).closed).toBe(4401);
    expect(await (await ConsoleClient.open(url, { token: labToken, more: "x".repeat(5000) })).closed).toBe(1009);
  });

  it("there are only the page's files", async () => {
    const lab = await serving({ scenario: emptyScenario() });
    const { url } = lab.served;
    for (const path of ["/lab/", "/lab/access", "/lab/clock", "/api/v2/contacts.json"]) {
      expect((await fetch(`${url}${path}`)).status).toBe(403);
    }
    for (const path of ["/console/../package.json", "/console/%2e%2e/%2e%2e/package.json", "/console/report/0"]) {
      expect((await ask(lab, path, {})).status).toBe(404);
    }
    expect(await lab.lab.done("GET", "/access")).toEqual({ token: lab.served.token });
  });

  it("a thousand silent connections do not keep a page out", async () => {
    const lab = await serving({ scenario: emptyScenario() });
    const { hostname, port } = new URL(lab.served.url);
    let open = 0;
    for (let at = 0; at < 1000; at++) {
      const socket = connect(Number(port), hostname);
      onTestFinished(() => void socket.destroy());
      socket.on("error", () => undefined);
      socket.once("close", () => open--);
      socket.write(
        "GET /console/stream HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: Upgrade\r\nupgrade: websocket\r\n" +
          "sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
      );
      await once(socket, "data");
      open++;
    }
    await expect.poll(() => open).toBeLessThanOrEqual(50);
    const client = await ConsoleClient.open(lab.served.url, hello(lab));
    expect((await client.snapshot()).lab.name).toBe("Empty account");
  });
});

describe("pages from elsewhere", () => {
  it("get neither the stream nor the control API, with or without a token", async () => {
    const lab = await serving({ scenario: emptyScenario() });
    const { url, labToken } = lab.served;
    const authorization = `Token ${labToken}`;
    const { host } = new URL(url);
    for (const origin of ["http://evil.example", "null", `http://${host}.evil.example`, "http://localhost:1"]) {
      expect(await ConsoleClient.refusedWith(url, { origin })).toBe(403);
      expect((await ask(lab, "/lab/", { origin, authorization })).status).toBe(403);
      expect((await ask(lab, "/console/", { origin })).status).toBe(403);
    }
    expect((await ask(lab, "/lab/", { origin: `http://${host}`, authorization })).status).toBe(200);
    const own = await ConsoleClient.open(url, hello(lab), { origin: `http://${host}` });
    expect((await own.snapshot()).frame).toBe(1);
  });

  it("cannot come by a name that leads here (DNS rebinding)", async () => {
    const lab = await serving({ scenario: emptyScenario() });
    const { url, token, labToken } = lab.served;
    const rebound = { host: "evil.example", origin: "http://evil.example" };
    expect(await ConsoleClient.refusedWith(url, rebound)).toBe(421);
    expect((await ask(lab, "/console/", { host: "evil.example" })).status).toBe(421);
    expect((await ask(lab, "/lab/", { ...rebound, authorization: `Token ${labToken}` })).status).toBe(421);
    expect((await ask(lab, "/api/v2/contacts.json", { ...rebound, authorization: `Token ${token}` })).status).toBe(421);
    // A client that is no page may use any name: that of a container, of a tunnel.
    expect((await ask(lab, "/api/v2/contacts.json", { host: "handset", authorization: `Token ${token}` })).status).toBe(
      200,
    );
  });
});

it("the page has a strict policy, is asked for again, and its hashed files never", async () => {
  const lab = await serving({ scenario: emptyScenario() });
  const page = await ask(lab, "/console/", {});
  expect(page.headers).toMatchObject({
    "content-security-policy": expect.stringMatching(/^default-src 'none'; script-src 'self'; style-src 'self'/),
    "cache-control": "no-cache",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
  });
  expect(page.headers["access-control-allow-origin"]).toBeUndefined();
  const script = /src="\.(\/assets\/[^"]+)"/.exec(page.body)?.[1];
  const file = await ask(lab, `/console${script}`, {});
  expect(file.headers["cache-control"]).toBe("public, max-age=31536000, immutable");
  expect(file.headers["content-security-policy"]).toBe(page.headers["content-security-policy"]);
  expect((await ask(lab, "/console", {})).headers["location"]).toBe("/console/");
  expect((await ask(lab, "/", {})).headers["location"]).toBe("/console/");
});

it("the page comes in the encoding that a client reads, or as not modified", async () => {
  const lab = await serving({ scenario: emptyScenario() });
  const page = await ask(lab, "/console/", {});
  const asset = `/console/${/src="\.\/(assets\/[^"]+)"/.exec(page.body)?.[1]}`;
  for (const [accepted, encoding] of [
    ["br", "br"],
    ["gzip", "gzip"],
    ["br;q=0, gzip", "gzip"],
    ["identity", undefined],
  ] as const) {
    const { headers } = await ask(lab, asset, { "accept-encoding": accepted });
    expect([accepted, headers["content-encoding"], headers["vary"]]).toEqual([accepted, encoding, "accept-encoding"]);
    expect(headers["content-type"]).toContain("javascript");
    const again = await ask(lab, asset, { "accept-encoding": accepted, "if-none-match": String(headers["etag"]) });
    expect([again.status, again.body]).toEqual([304, ""]);
  }
  for (const path of ["nothing", "assets/", "assets/..%2f..%2findex.js", "assets/%00", "%2e%2e%2findex.js"]) {
    expect([path, (await ask(lab, `/console/${path}`, {})).status]).toEqual([path, 404]);
  }
  expect((await fetch(`${lab.served.url}${asset}`, { method: "HEAD" })).status).toBe(200);
});

describe("a client that comes back", () => {
  it("gets the frames that it missed, and no others", async () => {
    const lab = await serveReady();
    const first = await ConsoleClient.open(lab.served.url, hello(lab));
    const { session } = await first.snapshot();
    const { frame } = await first.delta(() => true);
    first.socket.terminate();
    await first.closed;
    await lab.lab.done("POST", "/do/battery", { of: "clinic/0", level: "17%" });
    const again = await ConsoleClient.open(lab.served.url, { ...hello(lab), resume: { session, frame } });
    await again.delta(({ fleet }) => fleet?.some(([channel, battery]) => channel === 1 && battery === 17) === true);
    expect(again.frames.map((one) => [one.kind, one.frame])).toEqual(
      again.frames.map((_, index) => ["delta", frame + 1 + index]),
    );
  });

  it("gets a snapshot when the frames are gone or another session's", async () => {
    const lab = await serveReady();
    const first = await ConsoleClient.open(lab.served.url, hello(lab));
    const { session } = await first.snapshot();
    for (const resume of [
      { session, frame: 999_999 },
      { session: "another", frame: 1 },
      { session, frame: -1 },
      { session: 1, frame: "x" },
    ]) {
      const again = await ConsoleClient.open(lab.served.url, { ...hello(lab), resume });
      expect((await again.snapshot()).session).toBe(session);
    }
  });

  it("gets a snapshot of a new session after the account was replaced", async () => {
    const lab = await serveReady();
    const client = await ConsoleClient.open(lab.served.url, hello(lab));
    const before = await client.snapshot();
    await lab.lab.done("POST", "/snapshots", { restore: "start" });
    const after = await client.find((frame) =>
      frame.kind === "snapshot" && frame.session !== before.session ? frame : undefined,
    );
    expect(after.lab.name).toBe(before.lab.name);
    expect(after.clock.nowMs).toBeGreaterThanOrEqual(before.clock.nowMs);
  });
});

it("a second message that is no wish ends the stream", async () => {
  const lab = await serving({ scenario: emptyScenario() });
  const client = await ConsoleClient.open(lab.served.url, hello(lab));
  await client.snapshot();
  client.socket.send("{}");
  expect(await client.closed).toBe(1008);
  expect(client.socket.readyState).toBe(WebSocket.CLOSED);
});
