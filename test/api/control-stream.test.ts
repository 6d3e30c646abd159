import { once } from "node:events";
import { connect } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { WebSocket } from "ws";
import { answers } from "../../src/console/index.js";
import { misfitsOf } from "../support/json-schema.js";
import { type ServedLab, serveReady } from "../end-to-end/served.js";
import { receiverThat } from "../end-to-end/support.js";

interface Follower {
  readonly socket: WebSocket;
  readonly heard: Record<string, unknown>[];
  /** Resolves when this many entries have arrived. */
  readonly until: (count: number) => Promise<void>;
}

function addressOf({ served }: ServedLab, query: string): string {
  return `${served.url.replace("http", "ws")}/lab/events/stream${query}`;
}

/** Follows the live log, with the token in the query unless headers are given. */
async function follow(lab: ServedLab, query = "", headers?: Record<string, string>): Promise<Follower> {
  const token = headers === undefined ? `token=${lab.served.labToken}&` : "";
  const socket = new WebSocket(addressOf(lab, `?${token}${query}`), { headers: headers ?? {} });
  onTestFinished(() => socket.terminate());
  const heard: Record<string, unknown>[] = [];
  socket.on("message", (text: Buffer) => heard.push(JSON.parse(text.toString()) as Record<string, unknown>));
  await once(socket, "open");
  return {
    socket,
    heard,
    async until(count) {
      while (heard.length < count) await once(socket, "message");
    },
  };
}

/** The status with which an upgrade is refused. */
async function refusal(
  lab: ServedLab,
  query: string,
  headers: Record<string, string> = {},
): Promise<number | undefined> {
  const socket = new WebSocket(addressOf(lab, query), { headers });
  socket.on("error", () => undefined);
  const [, response] = (await once(socket, "unexpected-response")) as [unknown, { statusCode?: number }];
  return response.statusCode;
}

describe("the live log", () => {
  it("sends events, attempts, requests and notes as they happen", async () => {
    const receiver = await receiverThat((_body, response) => void response.end("{}"));
    const lab = await serveReady({ receiver: receiver.url });
    const { heard, until } = await follow(lab);
    await lab.lab.done("POST", "/alarms", { of: "clinic/1" });
    await until(2);
    await lab.api.done("POST", "labels.json", { name: "Live" });
    await lab.lab.done("POST", "/do/note", { text: "the storm begins" });
    await until(4);
    const at = "2026-03-04T06:00:00.000000Z";
    expect(heard).toEqual([
      {
        at,
        kind: "event",
        channel: 2,
        number: expect.any(Number),
        type: "alarm",
        body: expect.stringContaining("event=alarm"),
      },
      {
        at,
        kind: "attempt",
        channel: 2,
        number: heard[0]?.["number"],
        try: 1,
        status: 200,
        error: null,
        outcome: "accepted",
        durationMs: expect.any(Number),
      },
      { at, kind: "call", method: "POST", path: "/api/v2/labels.json" },
      { at, kind: "note", channel: 0, word: "note", text: "the storm begins" },
    ]);
    expect(heard.flatMap((message) => misfitsOf(answers.streamedHappening, message))).toEqual([]);
  });

  it("sends only the requested kinds", async () => {
    const lab = await serveReady();
    const events = await follow(lab, "kinds=event&channel=1");
    const calls = await follow(lab, "kinds=call,note");
    await lab.lab.done("POST", "/alarms", { of: "clinic" });
    await lab.lab.done("POST", "/do/note", { text: "done" });
    await lab.api.done("POST", "labels.json", { name: "Live" });
    await calls.until(2);
    await lab.lab.done("POST", "/do/event", { of: "clinic/0", type: "last", fields: {} });
    await events.until(2);
    expect(events.heard.map(({ kind, channel, type }) => [kind, channel, type])).toEqual([
      ["event", 1, "alarm"],
      ["event", 1, "last"],
    ]);
    expect(calls.heard.map(({ kind }) => kind)).toEqual(["note", "call"]);
  });

  it("continues after a snapshot was restored", async () => {
    const lab = await serveReady();
    const { heard, until } = await follow(lab, "kinds=event");
    await lab.lab.done("POST", "/snapshots", { restore: "start" });
    await lab.lab.done("POST", "/alarms", { of: "clinic" });
    await until(2);
    expect(heard.map(({ type }) => type)).toEqual(["alarm", "alarm"]);
  });

  it("accepts the lab's token in the query or the header, and no page of another origin", async () => {
    const lab = await serveReady();
    const { labToken, token, url } = lab.served;
    const authorization = `Token ${labToken}`;
    expect((await follow(lab, "", { authorization })).socket.readyState).toBe(WebSocket.OPEN);
    expect((await follow(lab, "", { authorization, origin: url })).socket.readyState).toBe(WebSocket.OPEN);
    for (const query of ["", "?token=wrong", `?token=${token}`, "?token="])
      expect([query, await refusal(lab, query)]).toEqual([query, 403]);
    expect(await refusal(lab, "", { authorization: `Token ${token}` })).toBe(403);
    for (const origin of ["http://evil.example", "null", "http://127.0.0.1:1"]) {
      expect([origin, await refusal(lab, `?token=${labToken}`, { origin })]).toEqual([origin, 403]);
    }
    const elsewhere = new WebSocket(`${url.replace("http", "ws")}/lab/events?token=${labToken}`);
    elsewhere.on("error", () => undefined);
    const [, response] = (await once(elsewhere, "unexpected-response")) as [unknown, { statusCode?: number }];
    // A plain HTTP request must have its token in the header.
    expect(response.statusCode).toBe(403);
  });

  it("drops a client that does not read, and the lab continues", async () => {
    const lab = await serveReady();
    const slow = await follow(lab, "kinds=event");
    const other = await follow(lab, "kinds=event");
    const closed = once(slow.socket, "close") as Promise<[number]>;
    slow.socket.pause();
    // More than the buffers of the sockets and the limit for one client.
    const big = "x".repeat(200_000);
    const count = 100;
    for (let n = 0; n < count; n++) {
      await lab.lab.done("POST", "/do/event", { of: "clinic/0", type: `big-${n}`, fields: { text: big } });
    }
    await other.until(count);
    expect((await lab.api.get("org.json")).status).toBe(200);
    expect(slow.heard).toEqual([]);
    slow.socket.resume();
    expect((await closed)[0]).toBe(1013);
    expect(slow.heard.length).toBeLessThan(count);
    expect((await lab.lab.done("GET", `/events?type=big-${count - 1}`)).results).toHaveLength(1);
  });

  it("survives invalid upgrades", async () => {
    const lab = await serveReady();
    const { port, host } = new URL(lab.served.url);
    for (const target of ["//", "http://[", "/lab/events/stream?token=%", "/%00", "*"]) {
      const socket = connect(Number(port), "127.0.0.1");
      socket.on("error", () => undefined);
      await once(socket, "connect");
      socket.write(`GET ${target} HTTP/1.1\r\nhost: ${host}\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n`);
      socket.resetAndDestroy();
    }
    expect((await lab.api.get("org.json")).status).toBe(200);
  });

  it("ends with the server, and ignores messages of clients", async () => {
    const lab = await serveReady();
    const loud = await follow(lab);
    const quiet = await follow(lab, "kinds=event");
    const shut = once(loud.socket, "close") as Promise<[number]>;
    loud.socket.send("x".repeat(100_000));
    expect((await shut)[0]).toBe(1009);
    await lab.lab.done("POST", "/alarms", { of: "clinic/0" });
    await quiet.until(1);
    const end = once(quiet.socket, "close");
    await lab.served.close();
    await end;
  });
});
