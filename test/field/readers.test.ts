import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { Connection } from "../../src/store/sqlite/connection.js";
import { decodeEvent } from "../../src/wire/index.js";
import { fixture, readAll, readText } from "./read-lines.js";

const folder = mkdtempSync(join(tmpdir(), "field-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const at = (iso: string): number => Date.parse(iso);
const utf8 = (body: string): string | null => new URLSearchParams(body).get("text");

describe("each format is recognised by its content", () => {
  test.each([
    ["lines.jsonl", "jsonl", 8, 4],
    ["since.jsonl", "jsonl", 3, 3],
    ["nginx-bodies.log", "access-log", 6, 3],
    ["nginx-json.log", "access-log", 3, 2],
    ["apache.log", "access-log", 2, 2],
    ["chromium.har", "har", 3, 2],
    ["mitmproxy.har", "har", 1, 1],
    ["traffic.gor", "gor", 3, 2],
    ["texts.csv", "csv", 6, 4],
    ["posts.csv", "csv", 2, 2],
    ["events.jsonl", "events", 2, 2],
    ["messages.json", "messages", 3, 2],
  ])("%s is %s, and its lines are its events and the rejected ones", async (name, format, lines, events) => {
    const { totals, rejected } = await readAll([fixture(name)]);
    expect(totals.formats).toEqual([format]);
    expect(totals).toMatchObject({ lines, events });
    expect(events + rejected.length).toBe(lines);
  });

  test("a text of no known format is refused with the formats", async () => {
    await expect(readText("hello\nworld\n")).rejects.toMatchObject({
      code: "bad-options",
      hint: expect.stringContaining("jsonl|access-log|har|csv|gor|sqlite|events|messages") as string,
    });
  });
});

describe("access logs", () => {
  test("nginx writes a line at the end of a request, so its begin is the time less the request's", async () => {
    const { byTime } = await readAll([fixture("nginx-bodies.log")]);
    expect(byTime.map(({ place, atMs }) => [place, new Date(atMs).toISOString()])).toEqual([
      [1, "2026-03-02T08:15:06.388Z"],
      [3, "2026-03-02T08:15:10.001Z"],
      [4, "2026-03-02T08:15:11.500Z"],
    ]);
    expect(byTime[1]).toMatchObject({ path: "/hook?token=s3cret", answer: { status: 504, tookMs: 30_001 } });
  });

  test('\\xHH of nginx and \\" of Apache become the bytes that were sent', async () => {
    const nginx = await readAll([fixture("nginx-bodies.log")]);
    expect(utf8(nginx.byTime[2]?.body ?? "")).toBe('Café "now"');
    const apache = await readAll([fixture("apache.log")]);
    expect(utf8(apache.byTime[1]?.body ?? "")).toBe('a "b" \\\\ c');
    const json = await readAll([fixture("nginx-json.log")]);
    expect(utf8(json.byTime[1]?.body ?? "")).toBe('"café"');
  });

  test("any body comes back through nginx's escapes", async () => {
    const escape = (body: string): string =>
      Array.from(Buffer.from(body), (byte) =>
        byte < 32 || byte > 126 || byte === 34 || byte === 92
          ? `\\x${byte.toString(16).toUpperCase().padStart(2, "0")}`
          : String.fromCharCode(byte),
      ).join("");
    const text = fc.string({ unit: "binary", maxLength: 30 }).map((one) => one.toWellFormed());
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 5 }), async (texts) => {
        const bodies = texts.map((one) => `event=mo_sms&text=${one}`);
        const lines = bodies.map(
          (body) => `1.2.3.4 - - [02/Mar/2026:08:15:06 +0000] "POST / HTTP/1.1" 200 0 "-" "-" "${escape(body)}"\n`,
        );
        const { byTime } = await readText(lines.join(""));
        expect(byTime.map(({ body }) => body)).toEqual(bodies);
      }),
      { numRuns: 6 },
    );
  });

  test("bytes that are not UTF-8 stay the same in the form", async () => {
    const { byTime } = await readText(
      '1.2.3.4 - - [02/Mar/2026:08:15:06 +0000] "POST / HTTP/1.1" 200 0 "-" "-" "event=mo_sms&text=a\\xFFb"\n',
    );
    expect(byTime[0]?.body).toBe("event=mo_sms&text=a%FFb");
  });

  test.each([
    [
      "nginx, another order, the whole directive",
      `log_format x '$msec|$status|$request_time|' '$request_uri|"$request_body"';`,
      '1772439306.400|200|0.400|/hook?a=1|"event=mo_sms&text=a|b"',
      { atMs: at("2026-03-02T08:15:06Z"), path: "/hook?a=1", body: "event=mo_sms&text=a|b" },
    ],
    [
      "Apache, whose time is the begin",
      'LogFormat "%h %t \\"%r\\" %>s %D \\"%{body}n\\"" withbody',
      '1.2.3.4 [02/Mar/2026:10:15:06 +0200] "POST /hook HTTP/1.1" 200 1500000 "event=mo_sms&text=a \\"b\\""',
      {
        atMs: at("2026-03-02T08:15:06Z"),
        path: "/hook",
        body: 'event=mo_sms&text=a "b"',
        answer: { status: 200, tookMs: 1500 },
      },
    ],
  ])("--log-format: %s", async (_, logFormat, line, event) => {
    const { byTime } = await readText(`${line}\n`, { logFormat });
    expect(byTime).toMatchObject([event]);
  });

  test("lines of one second keep their order, whatever their requests took", async () => {
    const line = (took: string, text: string): string =>
      `1.2.3.4 - - [02/Mar/2026:08:15:06 +0000] "POST / HTTP/1.1" 200 0 "-" "-" "event=mo_sms&text=${text}" ${took}\n`;
    const { byTime } = await readText(
      line("0.004", "a") + line("0.900", "b") + line("0.010", "c") + line("30.100", "long"),
    );
    expect(byTime.map(({ body }) => utf8(body))).toEqual(["long", "a", "b", "c"]);
  });

  test("a log without bodies is refused with the line that would log them", async () => {
    await expect(readAll([fixture("without-bodies.log")])).rejects.toMatchObject({
      code: "bad-options",
      hint: expect.stringMatching(
        /log_format bodies '.*"\$request_body" \$request_time \$msec';\n.*\n.*Apache/s,
      ) as string,
    });
  });

  test("a query with an event is the body of a request that has none", async () => {
    const { byTime } = await readText(
      '1.2.3.4 - - [02/Mar/2026:08:15:06 +0000] "GET /hook?event=mo_sms&text=a HTTP/1.1" 200 0 "-" "-" "-"\n',
    );
    expect(byTime).toMatchObject([{ body: "event=mo_sms&text=a", path: "/hook" }]);
  });
});

describe("HAR and GoReplay", () => {
  test("a HAR's text counts as it is, else its parameters; status 0 is no answer", async () => {
    const [chromium, mitmproxy] = [await readAll([fixture("chromium.har")]), await readAll([fixture("mitmproxy.har")])];
    expect(chromium.byTime[0]?.body).toMatch(/^event=mo_sms&relayer=31&/);
    expect(chromium.byTime[1]?.answer).toEqual({ tookMs: 5000.5, error: "net::ERR_CONNECTION_RESET" });
    expect(mitmproxy.byTime[0]).toMatchObject({
      body: "event=mo_sms&relayer=31&text=caf%C3%A9+%26+more",
      answer: { status: 201, body: "ok" },
    });
  });

  test("an answer of GoReplay belongs to the request of its id, chunks removed", async () => {
    const { byTime } = await readAll([fixture("traffic.gor")]);
    expect(byTime[0]).toMatchObject({
      atMs: at("2026-03-02T08:15:06.388Z"),
      path: "/hook?x=1",
      answer: { status: 200, tookMs: 12, body: '{"text": "hi"}' },
    });
    expect(byTime[1]?.answer).toBeUndefined();
  });

  test("a chunk may end anywhere", async () => {
    for (const name of ["chromium.har", "traffic.gor", "texts.csv", "nginx-bodies.log", "messages.json"]) {
      const { Readable } = await import("node:stream");
      const bytes = readFileSync(fixture(name));
      const pieces = Array.from({ length: Math.ceil(bytes.length / 7) }, (_, index) =>
        bytes.subarray(index * 7, index * 7 + 7),
      );
      const cut = await readAll(["-"], { stdin: Readable.from(pieces) });
      const whole = await readAll([fixture(name)]);
      expect(cut.byTime).toEqual(whole.byTime);
      expect(cut.totals).toEqual(whole.totals);
    }
  });
});

describe("tables", () => {
  test("a table of texts: columns by their names, directions as types, the zone of its times", async () => {
    const { byTime, rejected } = await readAll([fixture("texts.csv")], { timezone: "Africa/Kigali" });
    expect(byTime.map(({ body }) => decodeEvent(body).event)).toMatchObject([
      { event: "mo_sms", phone: "+250788123456", text: 'JOIN; "Amina"', time: at("2026-03-02T08:15:06Z") },
      { event: "mt_sent", phone: "+250788123456", text: "Welcome" },
      { event: "mo_sms", text: "two\nlines" },
      { event: "mo_sms", text: "last" },
    ]);
    expect(rejected.map(({ line, reason }) => [line, reason])).toEqual([
      [5, "not valid CSV"],
      [4, "no time"],
    ]);
  });

  test("a table of posted bodies, and its answers", async () => {
    const { byTime } = await readAll([fixture("posts.csv")]);
    expect(byTime).toMatchObject([
      { atMs: at("2026-03-02T08:15:06.400Z"), answer: { status: 200, tookMs: 12.5 } },
      { atMs: at("2026-03-02T08:15:09Z"), answer: { status: 500 } },
    ]);
  });

  test("with two times has when the row was received, and when the phone says that it happened", async () => {
    const rows = "2026-03-02 08:15:06,2026-03-02 08:01:00,+250788123456,hello\n";
    const guessed = await readText(`received_at,sent_at,phone,text\n${rows}`, {});
    const named = await readText(`a,b,phone,text\n${rows}`, { columns: ["time=a", "phone-time=b"] });
    for (const { byTime } of [guessed, named]) {
      expect(byTime[0]?.atMs).toBe(Date.parse("2026-03-02T08:15:06Z"));
      expect(byTime[0]?.body).toContain("time=2026-03-02T08%3A01%3A00.000");
    }
  });

  test("--columns names what names and contents do not show", async () => {
    const csv = "a,b,c\n1772439306400,+250788123456,hello\n";
    await expect(readText(csv, { format: "csv" })).rejects.toMatchObject({ code: "bad-options" });
    const { byTime } = await readText(csv, { columns: ["time=a", "phone=b", "text=c"] });
    expect(byTime.map(({ body }) => decodeEvent(body).event)).toMatchObject([
      { event: "mo_sms", phone: "+250788123456", text: "hello", time: 1_772_439_306_400 },
    ]);
    await expect(readText(csv, { columns: ["time=x"] })).rejects.toThrow("has no column 'x'");
  });

  test("SQLite by a query; without one its tables are named", async () => {
    const path = join(folder, "app.db");
    const database = new Connection(path);
    database.exec(
      "CREATE TABLE posts (ts INTEGER, body TEXT); INSERT INTO posts VALUES (1772439306, 'event=mo_sms&text=a')",
    );
    database.close();
    const { totals, byTime } = await readAll([path], { query: "SELECT * FROM posts" });
    expect(totals.formats).toEqual(["sqlite"]);
    expect(byTime).toMatchObject([{ atMs: 1_772_439_306_000, body: "event=mo_sms&text=a" }]);
    await expect(readAll([path])).rejects.toMatchObject({ hint: expect.stringContaining("posts") as string });
  });
});

describe("JSON lines", () => {
  test("a body, fields, or the line's own keys; same moment; recorded answers", async () => {
    const { bySource } = await readAll([fixture("lines.jsonl")]);
    expect(bySource[0]).toMatchObject({
      path: "/hook?x=1",
      answer: { status: 200, tookMs: 12, body: '{"text": "hi"}' },
    });
    expect(bySource[1]).toMatchObject({
      body: "event=mo_sms&relayer=31&phone=%2B250788123457&text=a%26b",
      isWithPrevious: true,
    });
    expect(bySource[2]).toMatchObject({ atMs: at("2026-03-02T08:15:07.500Z"), answer: { status: 500 } });
    expect(decodeEvent(bySource[3]?.body ?? "").event).toMatchObject({ event: "mo_sms", status: "D", text: "d" });
  });

  test("spans since the first line: the phones' times show the unit and the start", async () => {
    const { byTime } = await readAll([fixture("since.jsonl")]);
    expect(byTime.map(({ atMs }) => new Date(atMs).toISOString())).toEqual([
      "2026-03-02T08:15:05.000Z",
      "2026-03-02T08:15:09.750Z",
      "2026-03-02T08:16:05.000Z",
    ]);
    const inMs = readFileSync(fixture("since.jsonl"), "utf8").replace("4.75", "4750").replace(": 60,", ": 60000,");
    expect((await readText(inMs)).byTime).toEqual(byTime);
  });

  test("one JSON list is read as its objects", async () => {
    const { totals } = await readText('[{"at": 1772439306, "body": "event=mo_sms&text=a"},\n {"at": 1}]');
    expect(totals).toMatchObject({ lines: 2, events: 1 });
  });
});

test("our own events keep every attempt", async () => {
  const { byTime } = await readAll([fixture("events.jsonl")]);
  expect(byTime[0]).toMatchObject({
    answer: { status: 500, tookMs: 12 },
    retries: [{ answer: { status: 200, body: "ok" } }],
  });
  expect((byTime[0]?.retries?.[0]?.atMs ?? 0) - (byTime[0]?.atMs ?? 0)).toBe(60_000);
  expect(byTime[1]?.answer).toEqual({ tookMs: 5000, error: "timeout" });
});

test("messages of the API become the events that they show, in the order of time", async () => {
  const { byTime, rejected } = await readAll([fixture("messages.json")]);
  expect(byTime.map(({ body }) => decodeEvent(body).event)).toMatchObject([
    { event: "mo_sms", sms: 11, phone: "+250788123456", text: "JOIN", contactName: "Amina Uwase" },
    { event: "mt_dlvd", sms: 12, text: "Welcome {[Amina]}" },
  ]);
  expect(rejected).toMatchObject([{ line: 2, reason: "no outcome yet" }]);
});

test("gzip is opened; several files are one log, whose places name their file", async () => {
  const zipped = join(folder, "day.log.gz");
  writeFileSync(zipped, gzipSync(readFileSync(fixture("nginx-bodies.log"))));
  const { readFieldLog } = await import("../../src/field/index.js");
  const log = await readFieldLog([zipped, fixture("traffic.gor")]);
  expect(log.totals).toMatchObject({ formats: ["access-log", "gor"], lines: 9, events: 5 });
  expect([...log.inOrderOfTime()].map(({ place }) => log.placeOf(place).line)).toEqual([1, 1, 3, 3, 4]);
  log.close();
});

test("shuffled lines come in the order of time, equal times in that of the file", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 1, maxLength: 60 }), async (seconds) => {
      const lines = seconds.map((s, index) => JSON.stringify({ at: 1_772_439_300 + s, body: `event=x&n=${index}` }));
      const { byTime, bySource } = await readText(lines.join("\n"));
      expect(bySource.map(({ place }) => place)).toEqual(seconds.map((_, index) => index + 1));
      const expected = seconds.map((s, index) => [s, index + 1] as const).toSorted(([a], [b]) => a - b);
      expect(byTime.map(({ place }) => place)).toEqual(expected.map(([, place]) => place));
    }),
    { numRuns: 30 },
  );
});
