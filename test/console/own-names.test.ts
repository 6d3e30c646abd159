import { once } from "node:events";
import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { emptyScenario, type ServedLab, serving } from "../end-to-end/served.js";

type Headers = Readonly<Record<string, string | undefined>>;

/** Sends a request head byte by byte as it is written here. @returns status and body of the answer */
async function send(
  { served }: ServedLab,
  target: string,
  headers: Headers = {},
): Promise<{ readonly status: number; readonly body: string }> {
  const { hostname, port } = new URL(served.url);
  const socket = connect(Number(port), hostname);
  const lines = Object.entries({ connection: "close", ...headers })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}: ${value}`);
  socket.write([`GET ${target} HTTP/1.1`, ...lines, "", ""].join("\r\n"), "latin1");
  let text = "";
  socket.setEncoding("latin1").on("data", (part: string) => (text += part));
  await once(socket, "close");
  const [head = "", body = ""] = text.split("\r\n\r\n", 2);
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1]), body };
}

const webSocket = {
  connection: "Upgrade, close",
  upgrade: "websocket",
  "sec-websocket-version": "13",
  "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
};

/** Spellings of targets that lead to a route of the lab. */
const spellings = [
  "/lab/",
  "/lab",
  "//lab/",
  "///lab/clock",
  "/lab/?x=1",
  "/lab#x",
  "/%6cab/",
  "/%6Cab/clock",
  "/l%61b/%63lock",
  "/%6c%61%62/access/",
  "/lab/clock/",
  "http://127.0.0.1/lab/clock",
  "HTTP://127.0.0.1:80/%6cab/clock",
  "https://127.0.0.1//lab/clock?x",
  "ftp://127.0.0.1/lab/clock",
  "/console/",
  "/console",
  "//console/",
  "/%63onsole/index.html",
  "http://127.0.0.1/console/",
];

/** Spellings that lead nowhere: no route takes them. */
const deadEnds = [
  "/LAB/",
  "/Lab/clock",
  "/CONSOLE/",
  "/lab//clock",
  "/lab/./clock",
  "/lab/../lab/clock",
  "/x/../lab/",
  "/lab/%2e%2e/lab/clock",
  "/lab%2fclock",
  "/lab;x=1/",
  "/lab/clock;x=1",
  "/%256cab/",
  "/lab%00/",
  "/lab\\clock",
  "/api/v2/../../lab/clock",
];

describe("the control API and the console", () => {
  it("are closed to a foreign Host even with the token, however their path is spelled", async () => {
    const lab = await serving({ scenario: emptyScenario() });
    const authorization = `Token ${lab.served.labToken}`;
    const own = new URL(lab.served.url).host;
    const found: Record<string, unknown> = {};
    const expected: Record<string, unknown> = {};
    for (const [targets, status] of [[spellings, 421] as const, [deadEnds, 404] as const]) {
      for (const target of targets) {
        expected[target] = [status, status === 404 ? 404 : expect.stringMatching(/^(200|302|404)$/)];
        const foreign = await send(lab, target, { host: "evil.example", authorization });
        const known = await send(lab, target, { host: own, authorization });
        found[target] = [foreign.status, status === 404 ? known.status : String(known.status)];
      }
    }
    expect(found).toEqual(expected);
  });

  it("are closed to pages of other origins, however their path is spelled", async () => {
    const lab = await serving({ scenario: emptyScenario() });
    const authorization = `Token ${lab.served.labToken}`;
    const host = new URL(lab.served.url).host;
    const found: Record<string, number> = {};
    for (const target of [...spellings, ...deadEnds])
      found[target] = (await send(lab, target, { host, origin: "http://evil.example", authorization })).status;
    expect(found).toEqual({
      ...Object.fromEntries(spellings.map((target) => [target, 403])),
      ...Object.fromEntries(deadEnds.map((target) => [target, 404])),
    });
  });

  it("have no stream for a foreign Host or Origin, however its path is spelled", async () => {
    const lab = await serving({ scenario: emptyScenario() });
    const { labToken, url } = lab.served;
    const { host } = new URL(url);
    const statusOf = async (target: string, headers: Headers): Promise<number> =>
      (await send(lab, target, { ...webSocket, authorization: `Token ${labToken}`, ...headers })).status;
    for (const path of ["/lab/events/stream", "/console/stream"]) {
      expect([path, await statusOf(path, { host: "evil.example" })]).toEqual([path, 421]);
      expect([path, await statusOf(`${path}?token=${labToken}`, { host: "evil.example" })]).toEqual([path, 421]);
      expect([path, await statusOf(path, { host, origin: "http://evil.example" })]).toEqual([path, 403]);
    }
    const targets = ["/%6cab/events/stream", "//lab/events/stream", "http://evil.example/lab/events/stream"];
    for (const target of targets) expect([target, await statusOf(target, { host })]).toEqual([target, 404]);
  });

  it.each<[host: string | undefined, target: string, forwarded: string | undefined, status: number]>([
    ["127.0.0.1", "/lab/clock", undefined, 200],
    ["192.168.1.7:8080", "/lab/clock", undefined, 200],
    ["[::1]:8080", "/lab/clock", undefined, 200],
    ["LocalHost", "/lab/clock", undefined, 200],
    ["clinic.localhost:8080", "/lab/clock", undefined, 200],
    ["lab.example", "/lab/clock", undefined, 200],
    ["LAB.example:8443", "/lab/clock", undefined, 200],
    ["compose-name", "/lab/clock", undefined, 200],
    ["127.0.0.1", "http://lab.example/lab/clock", undefined, 200],
    ["127.0.0.1", "/lab/clock", "lab.example", 200],
    // The page of a name that leads to this machine can set any header but Host.
    ["evil.example", "/lab/clock", "lab.example", 421],
    ["evil.example", "/lab/clock", "127.0.0.1", 421],
    ["evil.example", "http://127.0.0.1/lab/clock", undefined, 421],
    ["127.0.0.1", "http://evil.example/lab/clock", undefined, 421],
    ["127.0.0.1", "http://127.0.0.1@evil.example/lab/clock", undefined, 421],
    // A proxy here, at which a foreign name leads.
    ["127.0.0.1", "/lab/clock", "evil.example", 421],
    ["127.0.0.1", "/lab/clock", "127.0.0.1, evil.example", 421],
    ["localhost.evil.example", "/lab/clock", undefined, 421],
    ["127.0.0.1.evil.example", "/lab/clock", undefined, 421],
    ["127.0.0.1@evil.example", "/lab/clock", undefined, 421],
    ["evil.example/127.0.0.1", "/lab/clock", undefined, 421],
    ["evil.example#lab.example", "/lab/clock", undefined, 421],
    ["lab.example.evil.example", "/lab/clock", undefined, 421],
    ["", "/lab/clock", undefined, 421],
    [undefined, "/lab/clock", undefined, 400],
  ])("Host %j, target %s, passed on by a proxy %j: %i", async (host, target, forwarded, status) => {
    const lab = await serving({
      scenario: emptyScenario(),
      publicUrl: "https://lab.example/handset",
      ownHosts: ["compose-name"],
    });
    const authorization = `Token ${lab.served.labToken}`;
    const answer = await send(lab, target, { host, authorization, "x-forwarded-host": forwarded });
    expect(answer.status).toBe(status);
    if (status === 421)
      expect(JSON.parse(answer.body).detail).toMatch(/^This server is not known as .*--own-host NAME/);
  });

  it("are open to pages of the public URL, and to no other", async () => {
    const lab = await serving({ scenario: emptyScenario(), publicUrl: "https://lab.example/handset" });
    const authorization = `Token ${lab.served.labToken}`;
    const statusOf = async (headers: Headers): Promise<number> =>
      (await send(lab, "/lab/clock", { authorization, ...headers })).status;
    const origin = "https://lab.example";
    expect(await statusOf({ host: "lab.example", origin })).toBe(200);
    expect(await statusOf({ host: "127.0.0.1:8080", origin })).toBe(200);
    expect(await statusOf({ host: "127.0.0.1:8080", origin, "x-forwarded-host": "lab.example" })).toBe(200);
    expect(await statusOf({ host: "lab.example", origin: "https://lab.example:444" })).toBe(403);
    expect(await statusOf({ host: "lab.example", origin: "https://evil.example" })).toBe(403);
    expect(
      await statusOf({ host: "127.0.0.1", origin: "https://evil.example", "x-forwarded-host": "evil.example" }),
    ).toBe(421);
  });
});

describe("the REST API", () => {
  it("is reached by programs under any name, and by pages under a known one", async () => {
    const lab = await serving({ scenario: emptyScenario() });
    const authorization = `Token ${lab.served.token}`;
    const statusOf = async (headers: Headers): Promise<number> =>
      (await send(lab, "/api/v2/contacts.json", { authorization, ...headers })).status;
    expect(await statusOf({ host: "host.docker.internal:8080" })).toBe(200);
    expect(await statusOf({ host: "evil.example", origin: "http://evil.example" })).toBe(421);
    expect(await statusOf({ host: "localhost", origin: "http://app.example" })).toBe(200);
  });

  it("does not give its token's holder the past of the control API", async () => {
    const lab = await serving({ scenario: emptyScenario() });
    const { host } = new URL(lab.served.url);
    for (const target of ["/lab/clock", "/%6cab/clock", "//lab/clock", `http://${host}/lab/clock`]) {
      const asked = send(lab, target, { host, authorization: `Token ${lab.served.token}`, "lab-moment": "0" });
      expect([target, (await asked).status]).toEqual([target, 403]);
    }
  });
});
