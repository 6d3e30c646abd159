import { describe, expect, it } from "vitest";
import { handset } from "./terminal.js";

/** The answers to lines on stdin, as text. */
async function evalLines(...lines: readonly unknown[]): Promise<string[]> {
  const stdin = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n");
  const { code, stdout, stderr } = await handset(["flow", "eval"], { stdin });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout.split("\n").filter(Boolean);
}

async function evalOne(line: unknown): Promise<unknown> {
  return JSON.parse((await evalLines(line))[0] ?? "");
}

const context = {
  contact: { __default__: "Ana", name: "Ana", created_on: "2024-02-29T22:30:00Z", groups: [{ name: "Mothers" }] },
  fields: { joined: "2024-02-29T22:30:00.000000Z", town: "Musanze" },
  results: { age: { __default__: "23", value: "23", created_on: "2025-01-01T10:00:00.5+02:00" } },
  webhook: { seen_on: "2024-02-29T22:30:00Z", id: 1 },
};

describe("handset flow eval", () => {
  it("answers templates and expressions in order", async () => {
    expect(
      await evalLines(
        { template: "Hi @contact, mail me@example.org", context },
        { expression: "1 + 2" },
        { expression: 'upper("a") & 1' },
      ),
    ).toEqual([
      '{"output":"Hi Ana, mail me@example.org","errors":[]}',
      '{"value":3,"type":"number","errors":[]}',
      '{"value":"A1","type":"text","errors":[]}',
    ]);
  });

  it("names the type of a value", async () => {
    const types: Record<string, unknown> = {
      null: "null",
      "1 = 1": "boolean",
      "array(1)": "array",
      'object("a", 1)': "object",
      "today()": "date",
      "now()": "datetime",
      'time("10:30")': "time",
      upper: "function",
      "1 / 0": "error",
    };
    const answers = await evalLines(...Object.keys(types).map((expression) => ({ expression })));
    expect(answers.map((answer) => (JSON.parse(answer) as { type: string }).type)).toEqual(Object.values(types));
  });

  it("says why an expression failed", async () => {
    expect(await evalOne({ template: "a@(1 / 0)b@contact.age", context })).toEqual({
      output: "ab",
      errors: [
        "error evaluating @(1 / 0): division by zero",
        "error evaluating @contact.age: object has no property 'age'",
      ],
    });
    expect(await evalOne({ expression: "1 +" })).toEqual({ value: null, type: "error", errors: ["syntax error at "] });
  });

  it("keeps the digits of numbers", async () => {
    const line = '{"expression": "n * 1", "context": {"n": 1234567890.12345678901234567890}}';
    expect(await evalLines(line)).toEqual(['{"value":1234567890.1234567890123456789,"type":"number","errors":[]}']);
  });

  it("reads datetimes of the context in the environment's zone", async () => {
    const environment = { timezone: "Africa/Kigali", date_format: "DD-MM-YYYY", time_format: "h:mm aa" };
    const template = "@(format_date(contact.created_on)) @(format(fields.joined)) @contact.created_on";
    expect(await evalOne({ template, context, environment })).toEqual({
      output: "01-03-2024 01-03-2024 12:30 am 2024-02-29T22:30:00.000000Z",
      errors: [],
    });
  });

  it("leaves texts from outside and texts without a zone as they are", async () => {
    const template = "@webhook.seen_on @(format(webhook.seen_on)) @(format(fields.town))";
    expect(await evalOne({ template, context })).toEqual({
      output: "2024-02-29T22:30:00Z 2024-02-29T22:30:00Z Musanze",
      errors: [],
    });
  });

  it("takes the time from the line", async () => {
    const line = { template: "@(now()) @(today())", now: "2026-03-02T23:30:00.123456Z" };
    expect(await evalOne({ ...line, environment: { timezone: "Asia/Kolkata" } })).toEqual({
      output: "2026-03-03T05:00:00.123456+05:30 2026-03-03",
      errors: [],
    });
  });

  it("writes names in the first allowed language", async () => {
    const line = { template: '@(format_date("2026-03-02", "EEEE D MMMM"))' };
    expect(await evalOne({ ...line, environment: { allowed_languages: ["fra", "eng"] } })).toEqual({
      output: "lundi 2 mars",
      errors: [],
    });
  });

  it("leaves defaults out of JSON and counts", async () => {
    const template = '@(json(results)) @(count(contact)) @(results.age + 1) @(join(keys(contact), " "))';
    expect(await evalOne({ template, context })).toEqual({
      output: '{"age":{"created_on":"2025-01-01T10:00:00.500000+02:00","value":"23"}} 3 24 created_on groups name',
      errors: [],
    });
  });

  it("reads a now without an offset as a local time", async () => {
    const line = { expression: "now()", now: "2026-03-02T10:24:30.5", environment: { timezone: "Africa/Kigali" } };
    expect(await evalOne(line)).toMatchObject({ value: "2026-03-02T10:24:30.500000+02:00" });
  });

  it("refuses a line with a mistake and continues", async () => {
    const answers = await evalLines(
      "{",
      "[]",
      {},
      { template: 3 },
      { template: "", context: 1 },
      { template: "", environment: { timezone: "Mars" } },
      { template: "", environment: { date_format: "D" } },
      { template: "", now: "soon" },
      { template: "ok" },
    );
    expect(answers.map((answer) => JSON.parse(answer) as unknown)).toEqual([
      { error: "not JSON" },
      { error: "not an object" },
      { error: "'template' or 'expression' is missing" },
      { error: "'template' must be a text" },
      { error: "'context' must be an object" },
      { error: "'timezone' is not valid: \"Mars\"" },
      { error: "'date_format' is not valid: \"D\"" },
      { error: "'now' must be a datetime in ISO 8601" },
      { output: "ok", errors: [] },
    ]);
  });
});
