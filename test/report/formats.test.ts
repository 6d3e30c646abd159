import { expect, it, onTestFinished } from "vitest";
import { parse as parseCsv } from "csv-parse/sync";
import { csvPieces, harPieces, renderJson, renderJunit } from "../../src/report/index.js";
import { Recording } from "../../src/store/index.js";
import { meta } from "../store/samples.js";
import { recorded, receiverWithFault } from "./faulty.js";
import { good } from "./samples.js";

async function small(): ReturnType<typeof recorded> {
  const { url } = await receiverWithFault((nth, response) => {
    if (nth % 10 !== 0) return false;
    response.writeHead(418, { "content-type": "text/plain" }).end("no, thank you");
    return true;
  });
  return recorded(`${url}events?key=secret`, { set: ["lasts=8m"] });
}

it("CSV: one row per attempt, by RFC 4180", async () => {
  const recording = await small();
  const text = [...csvPieces(recording)].join("");
  const rows = parseCsv(text, { columns: true, record_delimiter: "\r\n" }) as Record<string, string>[];
  expect(rows).toHaveLength(recording.counts().attempts);
  expect(rows.filter(({ status }) => status === "418")).toHaveLength(Math.floor(rows.length / 10));
  expect(rows[0]).toMatchObject({ try: "1", outcome: "accepted", lateness_ms: "", error: "" });
});

it("HAR: requests and answers with bodies, up to the limit", async () => {
  const recording = await small();
  let all = 0;
  const har = JSON.parse([...harPieces(recording, { limit: 15, cut: (count) => (all = count) })].join("")) as {
    log: { version: string; comment: string; entries: Record<string, never>[] };
  };
  expect(all).toBe(recording.counts().attempts);
  expect(har.log).toMatchObject({ version: "1.2", comment: `the first 15 of ${all} attempts` });
  expect(har.log.entries).toHaveLength(15);
  expect(har.log.entries[9]).toMatchObject({
    request: {
      method: "POST",
      queryString: [{ name: "key", value: "secret" }],
      postData: { mimeType: "application/x-www-form-urlencoded", text: expect.stringContaining("event=mo_sms") },
    },
    response: { status: 418, content: { text: "no, thank you", mimeType: "text/plain" } },
    timings: { wait: expect.any(Number) },
  });
});

it("JSON: the result and the figures", async () => {
  const recording = await small();
  const whole = JSON.parse(renderJson(recording)) as { attempts: object; figures: { attempts: number } };
  expect(whole.attempts).toHaveProperty("accepted");
  expect(whole.figures.attempts).toBe(recording.counts().attempts);
});

it("JUnit: a case for each expectation, failures with the seen value, hostile texts escaped", () => {
  const broken = {
    ...good,
    name: 'A "day" <of> rain & \u0001',
    expectations: [...good.expectations, { text: "alarms < 3", held: false, seen: "20" }],
  };
  expect(renderJunit(broken, { startedWallMs: 0 })).toMatchInlineSnapshot(`
    "<?xml version="1.0" encoding="UTF-8"?>
    <testsuites name="A &quot;day&quot; &lt;of&gt; rain &amp; �" tests="8" failures="1" errors="0" time="9.120">
      <testsuite name="A &quot;day&quot; &lt;of&gt; rain &amp; �: expectations" tests="3" failures="1" errors="0" skipped="0" time="9.120" timestamp="1970-01-01T00:00:00">
        <testcase name="lost == 0" classname="A &quot;day&quot; &lt;of&gt; rain &amp; �.expectations" time="0.000"/>
        <testcase name="delivery.p99 &lt; 500ms" classname="A &quot;day&quot; &lt;of&gt; rain &amp; �.expectations" time="0.000"/>
        <testcase name="alarms &lt; 3" classname="A &quot;day&quot; &lt;of&gt; rain &amp; �.expectations" time="0.000">
          <failure message="alarms &lt; 3: seen 20" type="broken">alarms &lt; 3: seen 20</failure>
        </testcase>
      </testsuite>
      <testsuite name="A &quot;day&quot; &lt;of&gt; rain &amp; �: ledger" tests="4" failures="0" errors="0" skipped="0" time="0.000" timestamp="1970-01-01T00:00:00">
        <testcase name="nothing is missing from the account of texts" classname="A &quot;day&quot; &lt;of&gt; rain &amp; �.ledger" time="0.000"/>
        <testcase name="nothing is missing from the account of calls" classname="A &quot;day&quot; &lt;of&gt; rain &amp; �.ledger" time="0.000"/>
        <testcase name="nothing is missing from the account of events" classname="A &quot;day&quot; &lt;of&gt; rain &amp; �.ledger" time="0.000"/>
        <testcase name="nothing is missing from the account of attempts" classname="A &quot;day&quot; &lt;of&gt; rain &amp; �.ledger" time="0.000"/>
      </testsuite>
      <testsuite name="A &quot;day&quot; &lt;of&gt; rain &amp; �: run" tests="1" failures="0" errors="0" skipped="0" time="0.000" timestamp="1970-01-01T00:00:00">
        <properties>
          <property name="verdict" value="failed"/>
        </properties>
        <testcase name="the run had no problems" classname="A &quot;day&quot; &lt;of&gt; rain &amp; �.run" time="0.000"/>
      </testsuite>
    </testsuites>
    "
  `);
});

it("JUnit: a late run is an error in a separate case, not a failure", () => {
  const told = "the run fell behind its schedule: 3 % of the attempts were <late>";
  const xml = renderJunit({ ...good, fellBehind: true, warnings: [told] }, { startedWallMs: 0 });
  expect(xml)
    .toContain(`run" tests="2" failures="0" errors="1" skipped="0" time="0.000" timestamp="1970-01-01T00:00:00">
    <properties>
      <property name="verdict" value="not judged"/>
      <property name="fellBehind" value="true"/>
    </properties>
    <testcase`);
  const escaped = told.replace("<late>", "&lt;late&gt;");
  expect(xml).toContain(`      <system-out>${escaped}</system-out>\n    </testcase>`);
  expect(xml).toContain(`<error message="${escaped}" type="not-judged">${escaped}</error>`);
  expect(renderJunit({ ...good, fellBehind: false }, { startedWallMs: 0 })).toContain(
    'name="fellBehind" value="false"',
  );
});

it("HAR: calls of flows come after the attempts", () => {
  const recording = Recording.create(":memory:", meta);
  onTestFinished(() => recording.close());
  const call = {
    origin: { contact: 1, run: "9f1c", flow: 1, node: "77aa" },
    atMs: 1000,
    effectAtMs: 6000,
    url: "http://127.0.0.1:8000/stock?item=zinc",
  };
  const body = Buffer.from('{"left":3}');
  const answer = { durationMs: 12, error: null, headers: "Content-Type: application/json", sentWallMs: 250, step: 1 };
  const { flowCalls } = recording.tables;
  flowCalls.put({ ...call, id: 1, method: "PUT", body: "a", answer: { ...answer, status: 201, body } });
  const failed = { durationMs: 1, status: null, error: "ECONNREFUSED", headers: null, body: null };
  flowCalls.put({ ...call, id: 2, method: "GET", body: "", answer: failed });
  const har = JSON.parse([...harPieces(recording.reader())].join("")) as {
    log: { comment: string; entries: object[] };
  };
  expect(har.log.comment).toBe("all attempts and calls of flows");
  expect(har.log.entries).toMatchObject([
    {
      startedDateTime: new Date(meta.startedWallMs + 250).toISOString(),
      request: { method: "PUT", url: call.url, postData: { text: "a" }, bodySize: 1 },
      response: { status: 201, content: { text: '{"left":3}', mimeType: "application/json" } },
      comment: "flow call 1 of run 9f1c",
    },
    { request: { method: "GET", queryString: [{ name: "item", value: "zinc" }] }, _error: "ECONNREFUSED" },
  ]);
  expect(har.log.entries[1]).not.toHaveProperty("request.postData");
  expect([...harPieces(recording.reader(), { limit: 1 })].join("")).toContain("the first 1 of 2 attempts and calls");
});
