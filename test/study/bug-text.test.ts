import { describe, expect, it } from "vitest";
import { type FailureCondition, readFailureCondition } from "../../src/expect/index.js";
import { parseExact, parseScenario } from "../../src/scenario/index.js";
import { exactBugText, type FoundBug, scenarioBugText } from "../../src/study/minimise/bug/bug-text.js";

function condition(...texts: string[]): FailureCondition {
  const read = readFailureCondition(texts);
  if (!("condition" in read)) throw new Error(JSON.stringify(read));
  return read.condition;
}

function bugOf(texts: readonly string[], more: Partial<FoundBug> = {}): FoundBug {
  return {
    condition: condition(...texts),
    answer: { status: 500, error: null, body: "TypeError: x is undefined\n  at y" },
    before: { events: 10_000, people: 412, handsets: 3 },
    isOneMinimal: true,
    failed: 11,
    of: 11,
    timeoutMs: 5000,
    atMs: Date.UTC(2026, 2, 3),
    file: "x.bug.yaml",
    ...more,
  };
}

const join = "event=mo_sms&sms=17&phone=%2B250788000001&text=JOIN&time=2026-03-03T07%3A00%3A00.000Z&relayer=1";
const requests = [
  { atMs: 0, type: "mo_sms", body: join },
  { atMs: 120_000, type: "mo_sms", body: join.replace("sms=17", "sms=18") },
];

describe("the bug file of a found failure", () => {
  it("tells what happened, what it takes, what is right and how to play it", () => {
    expect(exactBugText(requests, 2, bugOf(["status 500"]))).toBe(`# mo_sms is answered 500.
#
# Of 10,000 events of 412 people and 3 handsets, these 2 requests are all that it takes. Without one
# of them it does not fail. It failed in each of 11 runs.
#
# Request 2 reports again the event of request 1, 2 min later.
#
# Found with: status 500. The answer was 500: TypeError: x is undefined at y. Right is a status of 200
# to 499.
#
#   handset run x.bug.yaml -r URL    exit code 1 while the bug is there, 0 when it is not

about: mo_sms is answered 500
requests:
  - at: 0s
    fields: { event: mo_sms, sms: "17", phone: "+250788000001", text: JOIN, time: 2026-03-03T07:00:00.000Z, relayer: "1" }
  - at: 2m
    fields: { event: mo_sms, sms: "18", phone: "+250788000001", text: JOIN, time: 2026-03-03T07:00:00.000Z, relayer: "1" }
expect:
  - { request: 2, status: 200..499 }
seen:
  condition: status 500
  request: 2
  status: "500"
  answer: "TypeError: x is undefined\\n  at y"
  at: 2026-03-03T00:00:00.000Z
  runs: 11 of 11
versions: { handset: 0.1.0, node: ${process.version} }
`);
  });

  it.each([
    [["status >= 500"], { status: { from: 200, below: 500 } }],
    [["status 404"], { status: { from: 200, below: 300 } }],
    [["status != 200"], { status: { listed: [200] } }],
    [["timeout"], { answersWithinMs: 5000 }],
    [["closed of mo_sms"], { answersWithinMs: 5000 }],
    [["no reply"], { replies: true }],
    [["reply /sorry/i"], { notReply: { source: "sorry", flags: "i" } }],
    // An answer with a wrong reply has a right status.
    [["status 200", "reply /sorry/"], { notReply: { source: "sorry" } }],
  ])("%j: the opposite is right", (texts, expected) => {
    const { input, diagnostics } = parseExact(exactBugText(requests, 2, bugOf(texts)), "x.bug.yaml");
    expect(diagnostics).toEqual([]);
    expect(input?.expect).toMatchObject([{ request: 2, ...expected }]);
    // One thing is asked for, in its spelling, beside the request.
    expect(Object.keys(input?.expect[0] ?? {})).toHaveLength(3);
  });

  it("asks for no second reply, or for what a check asks for", () => {
    const twice = parseExact(exactBugText(requests, 2, bugOf(["hears-twice"])), "x.bug.yaml");
    expect(twice.input).toMatchObject({ expect: [], neverTwice: true });
    const check = parseExact(
      exactBugText(
        requests,
        undefined,
        bugOf(["check { http: GET /health, json: .members == 1 }"], { answer: undefined, seen: "2 members" }),
      ),
      "x.bug.yaml",
    );
    expect(check.diagnostics).toEqual([]);
    expect(check.input).toMatchObject({
      checks: [{ text: "check { http: GET /health, json: .members == 1 }" }],
      seen: { answer: "2 members" },
    });
  });

  it("keeps a strange answer within its comment, and stays below 10 KB", () => {
    const body = `\u2028# \r\nrequests: []\u0000${"é".repeat(20_000)}\uD800`;
    const text = exactBugText(requests, 2, bugOf(["status 500"], { answer: { status: 500, error: null, body } }));
    expect(Buffer.byteLength(text)).toBeLessThan(10_000);
    expect(parseExact(text, "x.bug.yaml").input?.requests.map((one) => one.body)).toEqual(
      requests.map((one) => one.body),
    );
  });

  it("of a scenario is a scenario that plays, with what is right", () => {
    const scenario = `lasts: 1h\nhandsets:\n  clinic: { phone: "+250788000001" }\nexpect:\n  - lateness.p99 < 1s\n`;
    const text = scenarioBugText(
      scenario,
      bugOf(["hears-twice"], { answer: undefined, seen: "amina was answered twice", failed: 7 }),
    );
    expect(text).toContain("# It failed in 7 of 11 runs: it does not always fail.".slice(2));
    const { scenario: parsed, diagnostics } = parseScenario(text, { file: "x.bug.yaml", nowMs: 0 });
    expect(diagnostics).toEqual([]);
    expect(parsed?.expect.map((one) => one.text)).toEqual(["lateness.p99 < 1s", "never-twice"]);
  });
});
