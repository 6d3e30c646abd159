import type { Socket } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openRecording, type RunOutcome } from "../../src/index.js";
import { temporaryFolder } from "../support/folder.js";
import { serveTcp } from "../support/server.js";
import { play, receiverThat, smallDay } from "./support.js";

/** Two texts, far enough apart that their attempts do not overlap, and time for all retries. */
const twoTexts = `
name: Two texts
starts: 2026-03-04T06:00:00.000Z
lasts: 1h
receiver: { url: http://127.0.0.1:9/, timeout: 5s }
handsets: { clinic: { phone: "+250788000001" } }
people: { ada: { of: clinic, phone: "+250788111111" } }
story:
  - at: 1m
    text: { from: ada, to: clinic, body: "one" }
  - at: 2m
    text: { from: ada, to: clinic, body: "two" }
`;

const nothing = { accepted: 0, retried: 0, refused: 0, failed: 0, timeout: 0, connection: 0 };

describe("an independent receiver", () => {
  it("agrees with the recording event for event", async () => {
    const receiver = await receiverThat((_, response) => response.end("{}"));
    const recording = join(temporaryFolder(), "run.db");
    const { result, exitCode } = await play(smallDay, { receiver: receiver.url, recording });
    const reader = openRecording(recording);
    const recorded = [...reader.events()];
    reader.close();
    expect(exitCode).toBe(0);
    expect(recorded.length).toBeGreaterThan(400);
    expect(receiver.got.map(({ body }) => body).toSorted()).toEqual(recorded.map(({ body }) => body).toSorted());
    expect(new Set(receiver.got.map(({ path }) => path))).toEqual(new Set(["/events?key=secret"]));
    expect(result.attempts).toEqual({ ...nothing, accepted: recorded.length });
    expect(recorded.every(({ attempts }) => attempts.length === 1 && attempts[0]?.status === 200)).toBe(true);
  });
});

describe("a receiver that answers", () => {
  const statuses = (list: readonly number[], last: number) => {
    const tries = new Map<string, number>();
    return (body: string): number => {
      const count = tries.get(body) ?? 0;
      tries.set(body, count + 1);
      return list[count] ?? last;
    };
  };

  it.each([
    ["200", [], 200, { accepted: 2 }, { delivered: 2 }],
    ["201", [], 201, { accepted: 2 }, { delivered: 2 }],
    ["500 twice, then 200", [500, 500], 200, { accepted: 2, retried: 4 }, { delivered: 2 }],
    ["always 500", [], 500, { retried: 6, failed: 2 }, { failed: 2 }],
    ["always 400", [], 400, { retried: 6, failed: 2 }, { failed: 2 }],
    ["404", [], 404, { refused: 2 }, { failed: 2 }],
    ["302", [], 302, { refused: 2 }, { failed: 2 }],
    ["204", [], 204, { refused: 2 }, { failed: 2 }],
    ["503", [], 503, { refused: 2 }, { failed: 2 }],
  ])("%s is taken as documented says", async (_, list, last, attempts, events) => {
    const statusOf = statuses(list, last);
    const receiver = await receiverThat((body, response) => {
      response.writeHead(statusOf(body), { location: "/elsewhere" }).end();
    });
    const { result, exitCode } = await play(twoTexts, { receiver: receiver.url });
    expect(result.attempts).toEqual({ ...nothing, ...attempts });
    expect(result.ledger.events).toMatchObject({ in: 2, queued: 0, gap: 0, ...events });
    expect(exitCode).toBe(0);
    expect(new Set(receiver.got.map(({ path }) => path))).toEqual(new Set(["/events?key=secret"]));
  });

  it.each([
    ["404 is tried three times in all", 404, { retried: 4, failed: 2 }, 6],
    ["204 is accepted", 204, { accepted: 2 }, 2],
    ["302 is followed, as a GET without the body", 302, { accepted: 2 }, 4],
  ])("by rapidpro-2016 %s", async (_, status, attempts, requests) => {
    const receiver = await receiverThat((body, response, request) => {
      if (request.url === "/elsewhere")
        response.end(body === "" && request.method === "GET" ? "" : "the body came along");
      else response.writeHead(status, { location: "/elsewhere" }).end();
    });
    const { result } = await play(twoTexts, { receiver: receiver.url, set: ["service=rapidpro-2016"] });
    expect(result.attempts).toEqual({ ...nothing, ...attempts });
    expect(receiver.got).toHaveLength(requests);
    expect(result.replies.ignored).toBe(0);
  });

  it("spaces its tries by five virtual minutes", async () => {
    const receiver = await receiverThat((_, response) => response.writeHead(500).end());
    const recording = join(temporaryFolder(), "run.db");
    await play(twoTexts, { receiver: receiver.url, recording });
    const reader = openRecording(recording);
    const [first] = [...reader.events()];
    reader.close();
    const dueAt = first?.attempts.map(({ dueAtMs }) => dueAtMs - first.atMs);
    expect(dueAt).toEqual([0, 300_000, 600_000, 900_000]);
    expect(first?.attempts.map(({ effectAtMs, dueAtMs }) => effectAtMs - dueAtMs)).toEqual([5000, 5000, 5000, 5000]);
  });
});

describe("a reply", () => {
  it("that is valid becomes a message that the person hears", async () => {
    const receiver = await receiverThat((body, response) => {
      const fields = new URLSearchParams(body);
      response.end(
        fields.get("event") === "mo_sms" ? JSON.stringify({ urn: [`tel:${fields.get("phone")}`], text: "thanks" }) : "",
      );
    });
    const story = `${twoTexts}
  - at: 1m
    expect: { person: ada, hears: thanks, within: 1m }
  - at: 5m
    expect: { event: mt_sent, count: 2 }`;
    const { result, exitCode } = await play(story, { receiver: receiver.url });
    expect(result.replies).toEqual({ valid: 2, ignored: 0, reasons: {} });
    expect(result.expectations.map(({ held }) => held)).toEqual([true, true]);
    expect(exitCode).toBe(0);
    expect(result.ledger.texts).toMatchObject({ in: 4, delivered: 4 });
  });

  it.each([
    ["text-too-long", JSON.stringify({ urn: ["tel:+250788111111"], text: "x".repeat(481) })],
    ["no-recipient", JSON.stringify({ text: "thanks" })],
    ["not-json", "OK"],
    ["no-text", JSON.stringify({ status: "ok" })],
  ])("that sends nothing is ignored as %s, and the event stays accepted", async (reason, answer) => {
    const receiver = await receiverThat((_, response) => response.end(answer));
    const { result, exitCode } = await play(twoTexts, { receiver: receiver.url });
    expect(result.replies).toEqual({ valid: 0, ignored: 2, reasons: { [reason]: 2 } });
    expect(result.attempts).toEqual({ ...nothing, accepted: 2 });
    expect(result.ledger.texts.in).toBe(2);
    expect(exitCode).toBe(0);
  });
});

/** Plays against a server that handles the raw socket, and may violate HTTP. */
async function playAgainst(behave: (socket: Socket) => void, timeout: string): Promise<RunOutcome> {
  const { url } = await serveTcp((socket) => void socket.once("data", () => behave(socket)));
  return play(twoTexts.replace("timeout: 5s", `timeout: ${timeout}`), { receiver: url });
}

describe("a receiver that lies", () => {
  const head = "HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n";
  const drip = (socket: Socket): void => {
    socket.write(`${head}\r\n`);
    const timer = setInterval(() => socket.write("drop "), 20);
    socket.once("close", () => clearInterval(timer));
  };

  it.each<[string, (socket: Socket) => void, Partial<typeof nothing>]>([
    ["says nothing", () => undefined, { timeout: 8 }],
    ["resets", (socket) => socket.resetAndDestroy(), { connection: 8 }],
    ["closes", (socket) => socket.end(), { connection: 8 }],
    ["answers garbage", (socket) => socket.end("this is no HTTP\r\n\r\n"), { connection: 8 }],
    ["gives half an answer", (socket) => socket.end(`${head}content-length: 100\r\n\r\nhalf`), { connection: 8 }],
    ["never ends its answer", drip, { timeout: 8 }],
    [
      "answers 10 MB",
      (socket) => socket.end(`${head}content-length: 10000000\r\n\r\n${"x".repeat(10_000_000)}`),
      { accepted: 2 },
    ],
  ])("and %s harms nothing", async (_, behave, attempts) => {
    const { result, exitCode } = await playAgainst(behave, "timeout" in attempts ? "300ms" : "5s");
    expect(result.attempts).toEqual({ ...nothing, ...attempts });
    expect(result.lost).toBe(0);
    expect(result.ledger.events).toMatchObject({ in: 2, queued: 0 });
    // Exit code 3: no attempt got a complete answer.
    expect(exitCode).toBe("timeout" in attempts || "connection" in attempts ? 3 : 0);
  });
});
