import { describe, expect, test } from "vitest";
import { FailureWatch, normalisedAnswer, readFailureCondition, type WatchedAnswer } from "../../src/expect/index.js";

function fault(...texts: readonly string[]): string {
  const read = readFailureCondition(texts);
  if (!("fault" in read)) throw new Error(`read: ${JSON.stringify(read)}`);
  const { text, column, message, hint } = read.fault;
  return `${text}\n${"^".padStart(column)} ${message}: ${hint}`;
}

function kinds(...texts: readonly string[]): unknown {
  const read = readFailureCondition(texts);
  if ("fault" in read) throw new Error(`${read.fault.message}: ${read.fault.hint}`);
  return "auto" in read ? read : read.condition.terms.map(({ kind }) => kind);
}

test("each condition is read; several hold together", () => {
  expect(kinds("status 500")).toEqual(["status"]);
  expect(kinds("status >= 500 of mo_sms", "check { http: GET /health, status: 200 }")).toEqual(["status", "check"]);
  expect(kinds("closed")).toEqual(["closed"]);
  expect(kinds("reply /sorry, .*again/i of mo_sms")).toEqual(["reply"]);
  expect(kinds("no reply of mo_sms")).toEqual(["no-reply"]);
  expect(kinds("hears-twice")).toEqual(["hears-twice"]);
  expect(kinds('broken "never-twice"')).toEqual(["broken"]);
  expect(kinds("check command: ./check.sh")).toEqual(["check"]);
  expect(kinds('reconcile app.db --query "SELECT * FROM texts"')).toEqual(["reconcile"]);
  for (const text of [
    'reconcile "my app.db" --query "SELECT * FROM texts" of mo_sms',
    "reconcile 'my app.db' --query=SELECT * FROM texts of mo_sms",
  ]) {
    expect(readFailureCondition([text])).toMatchObject({
      condition: { type: "mo_sms", terms: [{ file: "my app.db", query: "SELECT * FROM texts" }] },
    });
  }
  expect(readFailureCondition(["reconcile texts.csv of mo_sms"])).toMatchObject({
    condition: { type: "mo_sms", terms: [{ file: "texts.csv" }] },
  });
  expect(kinds()).toEqual({ auto: {} });
  expect(kinds("auto of mo_sms")).toEqual({ auto: { type: "mo_sms" } });
});

describe("a fault has its place and the right word", () => {
  test.each([
    ["statsu 500", "did you mean 'status'?"],
    ["500", "write status 500"],
    ["status 5xx", "write status >= 500"],
    ["status => 500", "write status >= 500"],
    ["status 700", "100 to 599"],
    ["reply sorry", "write reply /sorry/"],
    ["reply /(/", "backslash"],
    ["no reply of mo_smss", "did you mean 'mo_sms'?"],
    ["timeout twice", "--while again"],
    ["check { http: GET /x, stauts: 200 }", "did you mean 'status'?"],
    ["broken", 'broken "never-twice"'],
    ["reconcile", "reconcile texts.csv"],
  ])("%s", (text, right) => {
    expect(fault(text)).toContain(right);
  });

  test("the column is that of the word at fault", () => {
    expect(fault("no reply of mo_smss").split("\n")[1]?.indexOf("^")).toBe("no reply of ".length);
    expect(fault("status 700").split("\n")[1]?.indexOf("^")).toBe("status ".length);
  });

  test("auto stands alone", () => {
    expect(fault("auto", "timeout")).toContain("auto stands alone");
  });
});

function watch(...texts: readonly string[]): (body: string, answer: Partial<WatchedAnswer>) => string | undefined {
  const read = readFailureCondition(texts);
  if (!("condition" in read)) throw new Error("no condition");
  const watching = new FailureWatch(read.condition);
  return (body, answer) => {
    const type = new URLSearchParams(body).get("event") ?? "";
    return watching.observe({ type, body }, { status: 200, error: null, body: "{}", ...answer })?.fingerprint;
  };
}

const text = "event=mo_sms&sms=7&phone=%2B250788000001&text=join&time=2026-03-04T06%3A00%3A00Z";
const reply = JSON.stringify({ phone: ["+250788000001"], text: "Welcome" });

test("a person hears twice of one event: of a repeat and of a copy with a new number, not of a new text", () => {
  const repeated = watch("hears-twice");
  expect(repeated(text, { body: reply })).toBeUndefined();
  expect(repeated(text, { body: "{}" })).toBeUndefined();
  expect(repeated(text, { body: reply })).toBeDefined();
  const copied = watch("hears-twice");
  copied(text, { body: reply });
  expect(copied(text.replace("sms=7", "sms=8"), { body: reply })).toBeDefined();
  const fresh = watch("hears-twice");
  fresh(text, { body: reply });
  expect(fresh(text.replace("06%3A00", "06%3A05").replace("sms=7", "sms=8"), { body: reply })).toBeUndefined();
});

test("a timeout is no closed connection, and a receiver that is away is neither", () => {
  const none = { status: null, body: "" };
  expect(watch("timeout")(text, { ...none, error: "ETIMEDOUT" })).toBeDefined();
  expect(watch("closed")(text, { ...none, error: "ETIMEDOUT" })).toBeUndefined();
  expect(watch("closed")(text, { ...none, error: "no-answer" })).toBeDefined();
  expect(watch("closed")(text, { ...none, error: "ECONNREFUSED" })).toBeUndefined();
});

test("two answers to one failure have one fingerprint, answers to two failures have two", () => {
  const one = (answer: string, body = text): string | undefined =>
    watch("status 500")(body, { status: 500, body: answer });
  expect(one('{"error":"cannot read join","id":"a81f-17"}')).toBe(
    one('{"error":"cannot read hello","id":"77c0-2"}', text.replace("join", "hello")),
  );
  expect(one('{"error":"no such person"}')).not.toBe(one('{"error":"no such order"}'));
  expect(watch("status 500")(text.replace("mo_sms", "mt_sent"), { status: 500 })).not.toBe(one("{}"));
  expect(normalisedAnswer("KeyError: 'ß' at 12:30:01.7 in app.py line 88", text)).toBe(
    "KeyError: # at # in app.py line #",
  );
});
