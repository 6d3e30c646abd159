import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  contextOf,
  Decimal,
  ErrorValue,
  evaluateTemplate,
  fromJson,
  jsonText,
  readJson,
  toJson,
  typeOf,
} from "../../src/expression/index.js";
import { environment } from "./environment.js";
import { contextFrom } from "./evaluated.js";
import { runs } from "../support/effort.js";

/** JSON data without the key of defaults. */
const plainJson = fc.jsonValue({ maxDepth: 4 }).filter((json) => !JSON.stringify(json).includes("__default__"));

/** As JSON gives it back: without minus zero. */
function normal(json: unknown): unknown {
  return JSON.parse(JSON.stringify(json));
}

describe("JSON data", () => {
  it("comes back as it went in", () => {
    fc.assert(
      fc.property(plainJson, (json) => {
        fc.pre(!/e[+-]?\d\d\d/.test(JSON.stringify(json)));
        expect(toJson(fromJson(json))).toEqual(normal(json));
      }),
    );
  });

  it("means the same as text", () => {
    fc.assert(
      fc.property(plainJson, fc.integer({ min: 0, max: 4 }), (json, indent) => {
        expect(jsonText(readJson(JSON.stringify(json, null, indent)))).toEqual(jsonText(fromJson(json)));
      }),
    );
  });

  it("is refused exactly where JSON is", () => {
    const token = fc.constantFrom(
      '"a"',
      '"',
      "1",
      "-",
      "0",
      ".5",
      "e2",
      "true",
      "nul",
      "[",
      "]",
      "{",
      "}",
      ",",
      ":",
      " ",
    );
    fc.assert(
      fc.property(fc.array(token, { maxLength: 7 }), (tokens) => {
        const text = tokens.join("");
        expect(readJson(text) instanceof ErrorValue).toBe(!isJson(text));
      }),
      { numRuns: runs(250) },
    );
  });

  it("keeps defaults apart from properties", () => {
    const value = fromJson({ a: { __default__: null, b: 1 }, __default__: { c: 2 } });
    expect(jsonText(value)).toBe('{"a":{"b":1}}');
    expect(evaluateTemplate(environment(), contextFrom({ v: { __default__: "d", b: 1 } }), "@v @v.b").text).toBe("d 1");
  });

  it("escapes the line separators of JavaScript", () => {
    expect(jsonText("a\u2028b")).toBe(String.raw`"a\u2028b"`);
  });

  it("keeps the digits of texts", () => {
    expect(readJson("12345678901234567890.5")).toEqual(new Decimal("12345678901234567890.5"));
  });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe("the context of a line", () => {
  const iso = "2024-02-29T22:30:00Z";

  function typeAt(template: string): string {
    const context = contextOf(
      environment(),
      contextFrom({
        contact: { created_on: iso, name: iso, fields: { joined: iso, age: 3, note: "2024-02-29" } },
        fields: { joined: "2024-02-29T22:30:00.5+02:00" },
        parent: { fields: { joined: iso } },
        run: { path: [{ arrived_on: iso, node: iso }] },
        results: { start: { __default__: iso, value: iso, created_on: iso } },
        webhook: { created_on: iso },
        trigger: { params: { fields: { joined: iso } } },
      }),
    );
    const { text, errors } = evaluateTemplate(environment(), context, `@(format(${template}))`);
    expect(errors).toEqual([]);
    return text === iso ? "text" : text;
  }

  it.each([
    ["contact.created_on", "01-03-2024 00:30"],
    ["contact.fields.joined", "01-03-2024 00:30"],
    ["parent.fields.joined", "01-03-2024 00:30"],
    ["fields.joined", "29-02-2024 22:30"],
    ["run.path[0].arrived_on", "01-03-2024 00:30"],
    ["results.start.created_on", "01-03-2024 00:30"],
    ["contact.fields.note", "2024-02-29"],
    ["contact.name", "text"],
    ["run.path[0].node", "text"],
    ["results.start.value", "text"],
    ["results.start", "text"],
    ["webhook.created_on", "text"],
    ["trigger.params.fields.joined", "text"],
  ])("reads %s as %s", (path, expected) => {
    expect(typeAt(path)).toBe(expected);
  });
});

it("names the type of any JSON value", () => {
  expect([null, "a", true, 1, [], {}].map((json) => typeOf(fromJson(json)))).toEqual([
    "null",
    "text",
    "boolean",
    "number",
    "array",
    "object",
  ]);
});
