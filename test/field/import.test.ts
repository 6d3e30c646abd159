import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { EventFilter, explain, filteredEvents, reconcileLog } from "../../src/inspect/index.js";
import { eventLines, resultOf } from "../../src/report/index.js";
import { importFieldLog, replayRecording } from "../../src/run/index.js";
import { openRecording } from "../../src/store/index.js";
import { serveHttp } from "../support/server.js";
import { fixture, readableOf } from "./read-lines.js";

const folder = mkdtempSync(join(tmpdir(), "import-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const lines = [
  {
    at: "2026-03-02T08:15:06.400Z",
    body: "event=mo_sms&relayer=31&relayer_phone=%2B250788000001&sms=7&phone=%2B250788123456&text=join+me",
    path: "/hook?a=1",
    status: 200,
    ms: 12.5,
    answer: '{"text": "hi"}',
  },
  {
    at: "2026-03-02T08:15:08.000Z",
    body: "event=mo_sms&relayer=7&relayer_phone=%2B250788000007&sms=8&phone=%2B250788123457&text=a:b+$c",
    status: 500,
    ms: 3,
  },
  {
    at: "2026-03-02T08:15:07.000Z",
    body: "event=mt_sent&relayer=31&relayer_phone=%2B250788000001&sms=9&phone=%2B250788123456&text=hi",
  },
  {
    at: "2026-03-02T08:20:08.000Z",
    body: "event=mo_sms&relayer=7&relayer_phone=%2B250788000007&sms=8&phone=%2B250788123457&text=a:b+$c",
    status: 200,
    ms: 4,
  },
  { at: "never", body: "event=mo_sms&text=x" },
];
const source = lines.map((line) => JSON.stringify(line)).join("\n");

describe("a recording of a field log", () => {
  const path = join(folder, "day.db");
  const imported = importFieldLog(["-"], {
    stdin: readableOf(source),
    pseudonyms: "off",
    recording: path,
    rejects: join(folder, "rejects.jsonl"),
  });

  test("has the original bodies in the order of time, and an attempt for each answer that the log has", async () => {
    (await imported).log.close();
    const recording = openRecording(path);
    try {
      const events = Array.from(eventLines(recording))
        .map((piece) => Buffer.from(piece).toString())
        .join("")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as Record<string, unknown>);
      expect(events).toMatchObject([
        {
          at: 400,
          id: "2/1",
          handset: "relayer-31/0",
          body: lines[0]?.body,
          attempts: [
            {
              status: 200,
              ms: 12.5,
              outcome: "accepted",
              answer: '{"text": "hi"}',
              url: "http://receiver.invalid/hook?…",
            },
          ],
        },
        { at: 1000, id: "2/2", body: lines[2]?.body, attempts: [] },
        {
          at: 2000,
          id: "1/1",
          handset: "relayer-7/0",
          body: lines[1]?.body,
          attempts: [{ status: 500, outcome: "failed" }],
        },
        { at: 302_000, id: "1/2", body: lines[3]?.body, attempts: [{ status: 200 }] },
      ]);
    } finally {
      recording.close();
    }
  });

  test("is finished, and says what it does not know", async () => {
    await imported;
    const recording = openRecording(path);
    try {
      const result = resultOf(recording);
      expect(result.isUnfinished).toBeUndefined();
      expect(result).toMatchObject({
        events: { mo_sms: 3, mt_sent: 1 },
        attempts: { accepted: 2, failed: 1 },
        problems: [],
      });
      expect(result.warnings).toContain("the log has no answers to 1 of 4 events, so these have no attempts");
      expect(result.ledger.events).toMatchObject({
        in: 3,
        copies: { "posted-again": 1 },
        delivered: 2,
        failed: 1,
        queued: 1,
        gap: 0,
      });
    } finally {
      recording.close();
    }
  });

  test("is opened by filters, why and reconcile", async () => {
    await imported;
    const recording = openRecording(path);
    try {
      const of = (filter: ConstructorParameters<typeof EventFilter>[1]): number =>
        [...filteredEvents(recording, new EventFilter(recording, filter))].length;
      expect(of({ of: ["relayer-7"] })).toBe(2);
      expect(of({ of: ["+250788000001"] })).toBe(2);
      expect(of({ person: ["+250788123456"] })).toBe(2);
      expect(of({ outcome: ["untried"] })).toBe(1);
      expect(of({ from: "2026-03-02T08:16:00Z" })).toBe(1);
    } finally {
      recording.close();
    }
    expect(explain(path, "1/2").entries.map(({ copyOf, copyCause }) => [copyOf, copyCause])).toContainEqual([
      "1/1",
      "posted-again",
    ]);
    const life = explain(path, "1/1");
    expect(life.about).toContain("at relayer-7/0");
    expect(life.entries.map(({ text }) => text).join()).toContain("answered 500");
    const table = join(folder, "app.csv");
    writeFileSync(table, "sms,phone,text\n7,+250788123456,join me\n8,+250788123457,a:b $c\n");
    const { counts } = await reconcileLog(path, table);
    expect(counts).toMatchObject({ missing: 0, changed: 0, unknown: 0 });
  });

  test("is replayed byte for byte", async () => {
    await imported;
    const got: string[] = [];
    const receiver = await serveHttp((request, response) => {
      let body = "";
      request.setEncoding("utf8").on("data", (text: string) => (body += text));
      request.on("end", () => {
        got.push(body);
        response.end("{}");
      });
    });
    const { result } = await replayRecording(path, { receiver: receiver.url, recording: "none" });
    expect(result.attempts.accepted).toBe(4);
    expect(got.toSorted()).toEqual(
      lines
        .slice(0, 4)
        .map(({ body }) => body)
        .toSorted(),
    );
  });

  test("rejected lines are in their file, with their text", async () => {
    await imported;
    expect(JSON.parse(readFileSync(join(folder, "rejects.jsonl"), "utf8"))).toEqual({
      file: "standard input",
      line: 5,
      reason: "no time",
      text: JSON.stringify(lines[4]),
    });
  });
});

test("our own events come back: an import of them has the same bodies, handsets and attempts", async () => {
  const path = join(folder, "own.db");
  const { log } = await importFieldLog([fixture("events.jsonl")], { recording: path });
  log.close();
  expect(log.pseudonyms).toBe("off");
  const recording = openRecording(path);
  try {
    const events = [...recording.events()];
    expect(events.map(({ body }) => body)).toEqual(
      readFileSync(fixture("events.jsonl"), "utf8")
        .trim()
        .split("\n")
        .map((line) => (JSON.parse(line) as { body: string }).body),
    );
    expect(events.map(({ attempts }) => attempts.map(({ outcome }) => outcome))).toEqual([
      ["failed", "accepted"],
      ["timeout"],
    ]);
    expect(resultOf(recording).ledger.events).toMatchObject({ delivered: 1, failed: 1, queued: 0 });
  } finally {
    recording.close();
  }
});

test("a log of other formats is pseudonymised unless that is off", async () => {
  const { log } = await importFieldLog([fixture("nginx-bodies.log")]);
  try {
    expect(log.pseudonyms).toBe("on");
    const all = Array.from(log.events(), ({ body, path }) => `${path} ${body}`).join("\n");
    expect(all).not.toMatch(/Amina|788123456|s3cret/);
    expect(log.summary.people).toBe(2);
  } finally {
    log.close();
  }
});
