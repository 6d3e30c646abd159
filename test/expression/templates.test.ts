import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  Decimal,
  ErrorValue,
  evaluateTemplate,
  evaluateValue,
  ObjectValue,
  objectValue,
  type Value,
} from "../../src/expression/index.js";
import { environment } from "./environment.js";
import { contextFrom } from "./evaluated.js";

const context = contextFrom({
  contact: { __default__: "Aline", name: "Aline", first_name: "Aline", language: null },
  fields: { age: 31, town: "Huye" },
  results: { crop: { __default__: "maize", value: "maize", category: "Cereals" } },
  urns: ["tel:+250788123456", "mailto:aline@example.org"],
  中文: "Chinese",
  _under: "line",
});

function text(template: string): string {
  const { text: output, errors } = evaluateTemplate(environment(), context, template);
  expect(errors).toEqual([]);
  return output;
}

describe("the text of a template", () => {
  it.each([
    ["no expressions", "no expressions"],
    ["", ""],
    ["Hi @contact!", "Hi Aline!"],
    ["Hi @CONTACT.Name, from @fields.town.", "Hi Aline, from Huye."],
    ["@contact.name.@fields.age...", "Aline.31..."],
    ["@contact@fields.town", "AlineHuye"],
    ["@中文, @_under", "Chinese, line"],
    ["write to aline@example.org", "write to aline@example.org"],
    ["@nobody.name and @1st", "@nobody.name and @1st"],
    ["@@contact", "@contact"],
    ["@@@contact", "@Aline"],
    ["@ @. @- @", "@ @. @- @"],
    ["@urns.0", "tel:+250788123456"],
    ["@urns[0]", "[tel:+250788123456, mailto:aline@example.org][0]"],
    ["@contact.language|", "|"],
    ["@(fields.age + 1)@(fields.age - 1)", "3230"],
    ['@(")" & "(" & "\\")")', ')(")'],
    ["@(upper(contact))", "ALINE"],
    ["@(results.crop.category)", "Cereals"],
    ["sum: @(1 + (2 * 3)", "sum: @(1 + (2 * 3)"],
    ["@(1) @(", "1 @("],
    ['@("never closed)', '@("never closed)'],
    ["😀@contact😀", "😀Aline😀"],
  ])("%s", (template, expected) => {
    expect(text(template)).toBe(expected);
  });

  it("leaves out what fails and says why", () => {
    expect(evaluateTemplate(environment(), context, "a@(1 / 0)b@contact.shoe c@('x')")).toEqual({
      text: "ab c",
      errors: [
        "error evaluating @(1 / 0): division by zero",
        "error evaluating @contact.shoe: object has no property 'shoe'",
        "error evaluating @('x'): syntax error at 'x'",
      ],
    });
  });

  it("is cut to 10,000 characters, never inside one, and then ends with points", () => {
    const long = `${"😀".repeat(9_999)}@contact`;
    expect(evaluateTemplate(environment(), context, long).text).toBe(`${"😀".repeat(9_997)}...`);
    const full = `${"😀".repeat(9_995)}@contact`;
    expect(evaluateTemplate(environment(), context, full).text).toBe(`${"😀".repeat(9_995)}Aline`);
    expect(evaluateTemplate(environment(), context, long, { isCut: false }).text).toBe(`${"😀".repeat(9_999)}Aline`);
  });

  it("has its expressions escaped, not its literals", () => {
    const escape = (value: string): string => value.replaceAll("a", "[a]");
    expect(evaluateTemplate(environment(), context, 'a@results.crop@("a")', { escape }).text).toBe("am[a]ize[a]");
  });

  it("keeps any text without @", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (any) => {
        const literal = any.replaceAll("@", "");
        expect(text(literal)).toBe(literal);
      }),
    );
  });

  it("keeps any text whose @ are doubled", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom("@", "contact", "(", ")", " ", ".") }), (any) => {
        expect(text(any.replaceAll("@", "@@"))).toBe(any);
      }),
    );
  });
});

describe("the value of a template", () => {
  function value(template: string): Value {
    return evaluateValue(environment(), context, template).value;
  }

  it("is typed if the template is one expression", () => {
    expect(value(" @fields.age\n")).toEqual(new Decimal(31));
    expect(value("@(fields.age > 30)")).toBe(true);
    expect(value("@contact.language")).toBe(null);
  });

  it("is text otherwise", () => {
    expect(value("@fields.age years ")).toBe("31 years");
    expect(value("@nobody")).toBe("@nobody");
    expect(value("")).toBe("");
    expect(value("@@contact")).toBe("@contact");
  });

  it("may be an error, which is not reported apart", () => {
    expect(evaluateValue(environment(), context, "@(1 / 0)")).toEqual({
      value: new ErrorValue("division by zero"),
      text: "",
      errors: [],
    });
    expect(evaluateValue(environment(), context, "n: @(1 / 0)")).toEqual({
      value: "n: ",
      text: "n: ",
      errors: ["error evaluating @(1 / 0): division by zero"],
    });
  });
});

describe("a lazy context", () => {
  it("computes what templates look up, once", () => {
    const computed: string[] = [];
    const part = (name: string): Value => {
      computed.push(name);
      return new ObjectValue(() => ({ name }));
    };
    const lazy = new ObjectValue(() => ({ used: part("used"), unused: objectValue({}), also: null }));
    const output = evaluateTemplate(environment(), lazy, "@used.name @used.name @also").text;
    expect([output, computed]).toEqual(["used used ", ["used"]]);
  });

  it("reads getters only when their property is looked up", () => {
    const read: string[] = [];
    const lazy = new ObjectValue(() => ({
      get cheap() {
        read.push("cheap");
        return "yes";
      },
      get Dear() {
        read.push("dear");
        return "no";
      },
    }));
    expect(evaluateTemplate(environment(), lazy, "@CHEAP").text).toBe("yes");
    expect(new Set(read)).toEqual(new Set(["cheap"]));
  });
});
