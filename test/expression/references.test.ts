import { expect, it } from "vitest";
import { neededReferencesOf, referencesOf } from "../../src/expression/index.js";

const roots = ["contact", "fields", "results", "urns"];

it.each([
  ["Hi @contact, @Contact.Name", [["contact"], ["contact", "name"]]],
  ["@fields.age @(FIELDS.age + 1) @fields.age.", [["fields", "age"]]],
  [
    '@(fields["Home Town"] & results.0.value)',
    [
      ["fields", "home town"],
      ["results", "0", "value"],
    ],
  ],
  ["@(results[fields.key].value)", [["results"], ["fields", "key"]]],
  [
    '@(if(contact.name = "", upper(urns.tel), -fields.age))',
    [
      ["contact", "name"],
      ["urns", "tel"],
      ["fields", "age"],
    ],
  ],
  [
    "@(foreach(results.list, (contact) => contact.name & fields.x))",
    [
      ["results", "list"],
      ["fields", "x"],
    ],
  ],
  ["@(word(results.a, 0).b)", [["results", "a"]]],
  ["@@contact me@example.org @nobody.name @(1 +) @(upper)", []],
  ["", []],
])("the references of %s", (template, expected) => {
  expect(referencesOf(template, roots)).toEqual(expected);
});

it("are found in long chains", () => {
  const chain = Array.from({ length: 3000 }, (_, index) => `fields.f${index}`).join(" & ");
  expect(referencesOf(`@(${chain})`, roots)).toHaveLength(3000);
});

it.each([
  ["Hi @fields.age @contact.name", ["fields.age", "contact.name"]],
  ["@(upper(fields.age) & -results.a.value)", ["fields.age", "results.a.value"]],
  ["@(default(fields.age, 0))", []],
  ["@(is_error(fields.age)) @(has_error(fields.age))", []],
  ["@(if(fields.ready, fields.yes, fields.no))", ["fields.ready"]],
  ["@(and(fields.first, fields.second)) @(or(results.a, results.b))", ["fields.first", "results.a"]],
  ['@(fields["age"])', ["fields"]],
  ["@(foreach(results.list, (one) => fields.x))", ["results.list"]],
  ["@(1 +) @@fields.age", []],
])("the references without which %s fails", (template, expected) => {
  expect(neededReferencesOf(template, roots).map((path) => path.join("."))).toEqual(expected);
});
