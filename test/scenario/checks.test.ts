import { describe, expect, it } from "vitest";
import { checksOf, readCheck } from "../../src/scenario/index.js";
import { isConditionFault, parseJsonCondition } from "../../src/scenario/checks/json-condition.js";
import { base, diagnostics, sound, stepOf } from "./help.js";

describe("a condition on a JSON answer", () => {
  it.each([
    [".", []],
    [".ok", ["ok"]],
    [".a.b-c[0].d", ["a", "b-c", 0, "d"]],
    ['."a key"[-1]["x.y"]', ["a key", -1, "x.y"]],
    ["[0].id", [0, "id"]],
  ])("%s has the path", (text, path) => {
    expect(parseJsonCondition(text)).toEqual({ text, path });
  });

  it.each([
    [".ok == true", { op: "==", value: true }],
    [".n>=-1.5", { op: ">=", value: -1.5 }],
    ['.a != "x y"', { op: "!=", value: "x y" }],
    [".a == null", { op: "==", value: null }],
    ['.a == {"b": [1]}', { op: "==", value: { b: [1] } }],
    [".a == /^x/i", { op: "==", pattern: { kind: "regexp", source: "^x", flags: "i" } }],
  ])("%s compares", (text, compared) => {
    expect(parseJsonCondition(text)).toMatchObject(compared);
  });

  it.each([
    ["ok == true", "write .ok == true"],
    [".ok = true", "write .ok == true"],
    [".ok === true", "write .ok == true"],
    [".n => 3", "write .n >= 3"],
    [".state == ready", 'write .state == "ready" for a text'],
    [".n <", "write .n < true"],
    [".n < true", "write == or !=, or a number"],
    [".n < /x/", "write == /x/, or != /x/"],
    [".a b", "write .a == …"],
  ])("%s is refused with its correction", (text, hint) => {
    const read = parseJsonCondition(text);
    expect(isConditionFault(read) && read.hint).toBe(hint);
  });
});

describe("a check", () => {
  it("is a step of the story, with a request and what must be answered", () => {
    expect(stepOf('check: { http: POST http://127.0.0.1:1/x, status: [200, 404], json: ".a[0] == 1" }')).toEqual({
      to: "check",
      check: {
        text: "check { http: POST http://127.0.0.1:1/x, status: [200, 404], json: .a[0] == 1 }",
        ask: { kind: "http", method: "POST", url: "http://127.0.0.1:1/x" },
        withinMs: 10_000,
        status: { listed: [200, 404], from: 0, below: 0 },
        json: { text: ".a[0] == 1", path: ["a", 0], op: "==", value: 1 },
      },
    });
    expect(stepOf('check: { command: "make sure", within: 3s }')).toMatchObject({
      check: { ask: { kind: "command", command: "make sure" }, withinMs: 3000 },
    });
    expect(stepOf("check: { http: /health }")).toMatchObject({
      check: { ask: { method: "GET", url: "/health" } },
    });
  });

  it("hides user name and password of its URL", () => {
    expect(stepOf("check: { http: GET http://me:secret@127.0.0.1/x }")).toMatchObject({
      check: { text: "check { http: GET http://127.0.0.1/x }" },
    });
  });

  it.each([
    ["{ http: FETCH /x }", "4:28", "has no method 'FETCH'"],
    ["{ http: GET ftp://x/y }", "4:28", "must have an http or https URL"],
    ["{ http: GET /x, json: .ok = 1 }", "4:45", "has no operator '='"],
    ["{ http: GET /x, body: /(/ }", "4:44", "is no regular expression"],
    ["{ command: x, status: 200 }", "4:34", "'status' does not go with 'command'"],
    ["{ status: 200 }", "4:13", "needs 'http' or 'command'"],
    ["{ http: GET /x, stauts: 200 }", "4:36", "'stauts' is not a key"],
  ])("%s is refused at its place, with a hint", (check, place, message) => {
    const text = `lasts: 1h\nhandsets: { clinic: { phone: "+250788000001" } }\nstory:\n  - { at: 5m, check: ${check} }\n`;
    const [first] = diagnostics(text);
    expect(first?.message).toContain(message);
    expect([first?.line, first?.column].join(":")).toMatch(new RegExp(`^${place.split(":")[0]}:`));
    expect(first?.hint).toMatch(/\S/);
  });

  it("is an entry of `checks` with its times, or none: then it is asked at the end", () => {
    const { checks } = sound(
      base("checks:\n  - { command: a }\n  - { command: b, every: 10m }\n  - { command: c, at: 20m, every: 5m }\n"),
    );
    expect(checks?.map(({ check, atMs, everyMs }) => [check.text, atMs, everyMs])).toEqual([
      ["check { command: a }", undefined, undefined],
      ["check { command: b, every: 10m }", 600_000, 600_000],
      ["check { command: c, at: 20m, every: 5m }", 1_200_000, 300_000],
    ]);
    const [late] = diagnostics(base("checks:\n  - { command: a, at: 2h }\n"));
    expect(late).toMatchObject({ code: "after-end", line: 8 });
  });

  it("among the expectations is sent to its own list", () => {
    const [first] = diagnostics(base("expect:\n  - { check: { command: a } }\n"));
    expect(first?.hint).toContain("checks:");
  });

  it("that recurs is one check", () => {
    const text = base("story:\n  - { at: 5m, every: 5m, check: { command: a } }\nchecks:\n  - { command: b }\n");
    expect(checksOf(sound(text)).map(({ text: one }) => one)).toEqual(["check { command: a }", "check { command: b }"]);
  });

  it("moves no draw of the steps after it", () => {
    const drawing = "  - { at: 5m..20m, power: { of: 10% of clinic each time, mains: off } }\n";
    const plain = sound(base(`story:\n${drawing}`)).story[0];
    const after = sound(base(`story:\n  - { at: 1m, check: { command: a } }\n${drawing}`)).story[1];
    expect([after?.place, after?.drawsAs, after?.delays?.[0]?.drawsAs]).toEqual([1, plain?.place, 0]);
  });

  it("is read by itself, for options", () => {
    expect(readCheck("{ http: GET /x, status: 200 }", "--check").check?.ask).toMatchObject({ url: "/x" });
    const { check, diagnostics: told } = readCheck("{ http: GET /x, json: .ok = 1 }", "--check");
    expect(check).toBeUndefined();
    expect(told).toMatchObject([{ file: "--check", line: 1, column: 27 }]);
    expect(readCheck("hello", "--check").diagnostics[0]?.message).toContain("a map");
  });
});

it("`never-twice` is a bound on doubles", () => {
  const { expect: bounds } = sound(base("expect:\n  - never-twice\n  - { that: never-twice, abort: true }\n"));
  expect(bounds).toMatchObject([
    { text: "never-twice", metric: "doubles", op: "==", value: 0 },
    { metric: "doubles", abort: true },
  ]);
  expect(diagnostics(base("expect:\n  - never twice\n"))[0]?.hint).toBe("write never-twice");
});
