import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ExactRequest, parseExact, writeExact } from "../../src/scenario/index.js";
import { decodeEvent, encodeForm } from "../../src/wire/index.js";

const bug = `# Two texts at once make two members.
about: Two texts at once make two members
requests:
  - { at: 0s, fields: { event: mo_sms, phone: "+250788000001", text: "100% 😀" } }
  - { at: 0s, with: previous, body: event=mo_sms&text=a%2bb, path: /hook?channel=3 }
expect:
  - { request: 2, status: 200..299, answers-within: 5s, reply: /welcome/i }
  - never-twice
checks:
  - { http: GET /health, json: .members == 1 }
seen: { condition: status 500, request: 2, status: 500, runs: 11 of 11 }
versions: { handset: 0.1.0 }
`;

/** The problems of a file as `line:column message`. */
function problemsOf(text: string): string[] {
  return parseExact(text, "x.bug.yaml").diagnostics.map(
    ({ line, column, message, hint }) => `${line}:${column} ${message}${hint === undefined ? "" : ` (${hint})`}`,
  );
}

function readBack(requests: readonly ExactRequest[]): readonly ExactRequest[] | undefined {
  const text = writeExact({ story: "A story.", about: "A bug", requests, expect: [], seen: {}, versions: {} });
  return parseExact(text, "x.bug.yaml").input?.requests;
}

describe("a bug file of exact requests", () => {
  it("gives the requests byte for byte, and what is right", () => {
    const { input, diagnostics } = parseExact(bug, "dir/two-at-once.bug.yaml");
    expect(diagnostics).toEqual([]);
    expect(input).toMatchObject({
      name: "two-at-once",
      about: "Two texts at once make two members",
      requests: [
        { atMs: 0, type: "mo_sms", body: "event=mo_sms&phone=%2B250788000001&text=100%25+%F0%9F%98%80" },
        { atMs: 0, type: "mo_sms", body: "event=mo_sms&text=a%2bb", path: "/hook?channel=3", with: "previous" },
      ],
      timeoutMs: 5000,
      expect: [{ request: 2, answersWithinMs: 5000, reply: { kind: "regexp", source: "welcome", flags: "i" } }],
      neverTwice: true,
      checks: [{ text: "check { http: GET /health, json: .members == 1 }" }],
      seen: { condition: "status 500", request: 2, status: "500", runs: "11 of 11" },
      versions: { handset: "0.1.0" },
    });
  });

  it.each([
    ["requets: []\n", "1:1 'requets' is not a key of a bug file (did you mean 'requests'?)"],
    ["about: x\n", "1:1 the bug file needs 'requests'"],
    ["requests: []\n", "1:1 'requests' must hold at least one request"],
    ["requests:\n  - at: 1s\n", "2:5 'requests[0]' needs 'fields' or 'body' (write fields: "],
    ["requests:\n  - { body: a=1, fields: { a: 1 } }\n", "2:7 'body' does not go with 'fields' (keep one of them)"],
    ["requests:\n  - { body: a=1, with: previous }\n", "2:24 'with' has no request before it"],
    ["requests:\n  - { at: 2s, body: a }\n  - { at: 1s, body: a }\n", "3:11 'at' is earlier than the request before"],
    [
      "requests:\n  - body: a\nexpect:\n  - { request: 2, status: 200 }\n",
      "4:16 'request' is 2, but there is one request",
    ],
    ["requests:\n  - body: a\nexpect:\n  - { request: 1 }\n", "4:5 'expect[0]' says nothing about the answer"],
    ["requests:\n  - body: a\nexpect:\n  - failures == 0\n", "4:5 'expect[0]' must be never-twice or a map"],
    [
      "requests:\n  - body: a\nexpect:\n  - { request: 1, statsu: 200 }\n",
      "4:19 'statsu' is not a key of 'expect[0]' (did you mean 'status'?)",
    ],
  ])("%j is refused with its place", (text, problem) => {
    expect(problemsOf(text).some((one) => one.startsWith(problem))).toBe(true);
  });

  it("keeps any body, however strange, through writing and reading", () => {
    const value = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom(
        "",
        " ",
        "true",
        "null",
        "007",
        "~",
        "#",
        "a: b",
        "- x",
        "'",
        '"',
        "\u0000",
        "\r\n",
        "\u2028",
        "🤦🏽‍♀️",
      ),
    );
    const body = fc.oneof(
      fc.array(fc.tuple(fc.stringMatching(/^[a-z_]{1,8}$/), value), { maxLength: 5 }).map((pairs) => encodeForm(pairs)),
      fc.string({ unit: "binary" }),
      fc.string({ unit: "grapheme" }).map((text) => `event=mo_sms&text=${text}`),
    );
    fc.assert(
      fc.property(
        fc.array(
          body.filter((one) => one.isWellFormed()),
          { minLength: 1, maxLength: 4 },
        ),
        (bodies) => {
          const requests = bodies.map((one, index) => ({
            atMs: index * 1500,
            type: decodeEvent(one).event.event,
            body: one,
          }));
          expect(readBack(requests)).toEqual(requests);
        },
      ),
    );
  });

  it("tells its story in a comment", () => {
    const text = writeExact({
      story: "A text with a percent sign is answered 500.\n\n  handset run x.bug.yaml",
      about: "A text with a percent sign is answered 500",
      requests: [{ atMs: 0, type: "mo_sms", body: "event=mo_sms&text=100%25" }],
      expect: [{ request: 1, status: "200..299" }],
      seen: { condition: "status 500", request: 1, status: "500" },
      versions: { handset: "0.1.0" },
    });
    expect(text).toBe(`# A text with a percent sign is answered 500.
#
#   handset run x.bug.yaml

about: A text with a percent sign is answered 500
requests:
  - at: 0s
    fields: { event: mo_sms, text: 100% }
expect:
  - { request: 1, status: 200..299 }
seen:
  condition: status 500
  request: 1
  status: "500"
versions: { handset: 0.1.0 }
`);
  });
});
