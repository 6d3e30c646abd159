import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { evaluateTemplate } from "../../src/account/index.js";
import { amina, context, nobody } from "./contact-samples.js";

it.each([
  ["Hello @contact!", "Hello Amina Otieno!"],
  ["Hello @contact.name.", "Hello Amina Otieno."],
  ["@contact.first_name, @CONTACT.Name", "Amina, Amina Otieno"],
  ["@contact.language @contact.uuid", `swa ${amina.uuid}`],
  ["@contact.tel", "0711 000222"],
  ["@contact.tel_e164", "+254711000222"],
  ["@contact.mailto", "amina@example.org"],
  ["@contact.twitterid", "77"],
  ["@contact.groups", "Field staff,Mothers"],
  ["@contact.gender @contact.age", "F 34.5"],
  ["@contact.first_dose", "05-03-2018 23:30"],
  ["@contact.home, @fields.area", "Mombasa, Likoni"],
  ["@fields.gender.", "F."],
  ["@urns.tel", "tel:+254711000222"],
  ["[@urns.viber][@contact.viber]", "[][]"],
  ["a@@b, @@contact", "a@b, @contact"],
  ["@@@contact", "@Amina Otieno"],
])("%s gives %s", (template, text) => {
  expect(evaluateTemplate(template, amina, context)).toBe(text);
});

it.each([
  "no reference",
  "write to me@example.org",
  "@",
  "@ contact",
  "@contacts",
  "@contact.shoe_size",
  "@contact.name.upper",
  "@contact.constructor",
  "@fields",
  "@fields.shoe_size",
  "@fields.constructor",
  "@urns",
  "@urns.gender",
  "@flow.answer and @run",
  "@(upper(contact.name))",
  '@("a ) @contact (" & "b \\" @contact")',
  "@(upper(@contact.name)",
  "",
])("'%s' stays as it is", (template) => {
  expect(evaluateTemplate(template, amina, context)).toBe(template);
});

it("what follows an expression is read again", () => {
  expect(evaluateTemplate("@(1 + (2)) @contact.first_name", amina, context)).toBe("@(1 + (2)) Amina");
});

describe("a contact without", () => {
  it("a name is called by its best address", () => {
    const nameless = { ...amina, name: null };
    const text = evaluateTemplate("@contact/@contact.name/@contact.first_name", nameless, context);
    expect(text).toBe("0711 000222/0711 000222/0711 000222");
  });

  it("anything gives nothing", () => {
    const template = "@contact @contact.first_name @contact.tel @contact.language @contact.age @fields.first_dose";
    expect(evaluateTemplate(template, nobody, context).trim()).toBe("");
  });
});

it("hidden addresses do not show", () => {
  const anonymous = { ...context, isAnonymous: true };
  const template = "@contact @contact.tel @contact.tel_e164 @contact.mailto @urns.tel";
  expect(evaluateTemplate(template, { ...amina, name: null }, anonymous)).toBe(
    "******** ******** ******** ******** tel:********",
  );
});

it.each([
  ["month_first", "03-05-2018 23:30"],
  ["year_first", "2018-03-05 23:30"],
] as const)("times are in the organisation's style: %s", (dateStyle, text) => {
  const contact = { ...amina, fields: { first_dose: "2018-03-05T20:30:00Z" } };
  expect(evaluateTemplate("@fields.first_dose", contact, { ...context, dateStyle })).toBe(text);
});

it("a text is at most 10,000 characters long", () => {
  const text = evaluateTemplate("💧@contact.name".repeat(2000), amina, context);
  expect(Array.from(text)).toHaveLength(10_000);
});

it("any text has a value, and without @ it is its own", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom("@", "contact", ".name", "(", ")", '"', "\\", "x", " ") }),
      (template) => {
        const text = evaluateTemplate(template, amina, context);
        if (!template.includes("@")) expect(text).toBe(template);
        // A text with every @ doubled evaluates to the original text.
        expect(evaluateTemplate(template.replaceAll("@", "@@"), amina, context)).toBe(template);
      },
    ),
  );
});
