import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type CheckAnswer, judgeCheck, sumChecks } from "../../src/expect/index.js";
import { readCheck } from "../../src/scenario/index.js";

function judged(check: string, answer: CheckAnswer) {
  const { check: spec, diagnostics } = readCheck(check, "test");
  if (spec === undefined) throw new Error(JSON.stringify(diagnostics));
  return judgeCheck(spec, answer);
}

function answered(body: unknown, status = 200): CheckAnswer {
  return { kind: "http", status, body: typeof body === "string" ? body : JSON.stringify(body) };
}

const answer = { ok: true, no: false, n: 3, name: "mast", none: null, items: [{ a: 1 }, { a: 2 }], "a key": [] };

describe("a check's condition on JSON", () => {
  it.each([
    ".", ".ok", ".ok == true", ".no == false", ".n >= 3", ".n != 4", ".n == /^3$/", '.name < "n"', ".name.length == 4",
    ".name == /^m/", ".name != /^x/", ".items.length == 2", ".items[1].a == 2", ".items[-1].a == 2", ".none == null",
    ".missing == null", ".missing != 1", '."a key" == []', '.items[0] == {"a": 1}',
  ])("%s is met", (condition) => {
    expect(judged(`{ http: GET /, json: '${condition}' }`, answered(answer)).held).toBe(true);
  }); // prettier-ignore

  it.each([
    [".no", ".no is false"],
    [".none", ".none is null"],
    [".missing", ".missing is missing"],
    [".missing == 1", ".missing is missing"],
    [".n < 3", ".n is 3"],
    [".name > 3", '.name is "mast"'],
    [".items[2].a == 1", ".items[2].a is missing"],
    [".items[0].a.b", ".items[0].a.b is missing"],
    [".name == /^x/", '.name is "mast"'],
    [".toString", ".toString is missing"],
    ['."a key"[0]', '."a key"[0] is missing'],
  ])("%s is not met: %s", (condition, seen) => {
    const verdict = judged(`{ http: GET /, json: '${condition}' }`, answered(answer));
    expect(verdict.held).toBe(false);
    expect(verdict.seen).toBe(`status 200, ${seen}; body: ${JSON.stringify(answer)}`);
  });

  it("`== value` holds for that value alone", () => {
    const scalars = fc.oneof(fc.integer(), fc.boolean(), fc.constant(null), fc.stringMatching(/^[a-z ]{0,5}$/));
    fc.assert(
      fc.property(scalars, scalars, (value, other) => {
        const check = `{ http: GET /, json: '.v == ${JSON.stringify(value)}' }`;
        expect(judged(check, answered({ v: value })).held).toBe(true);
        expect(judged(check, answered({ v: other })).held).toBe(value === other);
      }),
    );
  });
});

describe("a check's verdict", () => {
  it("names the status, and shows the beginning of the body", () => {
    expect(judged("{ http: GET / }", answered("", 204))).toEqual({ held: true, seen: "status 204" });
    expect(judged("{ http: GET / }", answered("", 500))).toEqual({ held: false, seen: "status 500; body: empty" });
    expect(judged("{ http: GET /, status: 500 }", answered("sorry", 500)).held).toBe(true);
    const { seen } = judged("{ http: GET / }", answered(`down\n  for ${"x".repeat(500)}`, 503));
    expect(seen).toMatch(/^status 503; body: down for x+…$/);
    expect(seen.length).toBeLessThan(230);
  });

  it("says that a body is no JSON, or does not match", () => {
    expect(judged("{ http: GET /, json: .ok }", answered("<html>")).seen).toBe(
      "status 200, the body is no JSON; body: <html>",
    );
    expect(judged("{ http: GET /, body: '/lost: 0/' }", answered("lost: 0")).held).toBe(true);
    expect(judged("{ http: GET /, body: lost 0 }", answered("lost: 3")).seen).toBe(
      "status 200, the body does not match; body: lost: 3",
    );
  });

  it("shows what a command wrote before it failed", () => {
    const ended = {
      kind: "command",
      exitCode: 3,
      signal: null,
      stdout: "checking\n",
      stderr: "two\n\nrows\n",
    } as const;
    expect(judged("{ command: x }", ended)).toEqual({ held: false, seen: "exit code 3: two / rows" });
    expect(judged("{ command: x }", { ...ended, stderr: "" }).seen).toBe("exit code 3: checking");
    expect(judged("{ command: x }", { ...ended, exitCode: null, signal: "SIGTERM", stderr: "", stdout: "" }).seen).toBe(
      "ended by SIGTERM, and it wrote nothing",
    );
    expect(judged("{ command: x }", { ...ended, exitCode: 0 })).toEqual({ held: true, seen: "exit code 0" });
    expect(judged("{ command: x }", { kind: "none", why: "ECONNREFUSED" }).seen).toBe("no answer: ECONNREFUSED");
  });
});

describe("a check that is asked often", () => {
  const at = (atMs: number | null, held: boolean) => ({ atMs, held, seen: held ? "status 200" : "status 500", ms: 1 });

  it("is summed: how often it held, and its first failure in time", () => {
    expect(sumChecks("c", [at(120_000, false), at(60_000, false), at(0, true)], 3)).toMatchObject({
      held: false,
      seen: "it held 1 of 3 times; first failed at 1m: status 500",
      check: { asked: 3, held: 1, results: [{ atMs: 0 }, { atMs: 60_000 }, { atMs: 120_000 }] },
    });
    expect(sumChecks("c", [at(0, true), at(1000, true)], 2)).toMatchObject({
      held: true,
      seen: "it held 2 of 2 times",
    });
    expect(sumChecks("c", [at(null, true)], 1)).toMatchObject({ held: true, seen: "status 200, at the end" });
  });

  it("that could not be asked as often as planned is not met", () => {
    expect(sumChecks("c", [at(0, true)], 3)).toMatchObject({
      held: false,
      seen: "it held 1 of 1 times; the run ended before the other 2",
    });
    expect(sumChecks("c", [], 1)).toMatchObject({ held: false, seen: "it was not asked: the run ended before" });
  });

  it("keeps a hundred results, failures before others", () => {
    const asked = Array.from({ length: 300 }, (_, index) => at(index, index < 250));
    const { check } = sumChecks("c", asked, 300);
    expect(check?.results.length).toBe(100);
    expect(check?.results.filter(({ held }) => !held).length).toBe(50);
  });
});
