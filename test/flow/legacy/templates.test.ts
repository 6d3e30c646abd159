import fc from "fast-check";
import { expect, it } from "vitest";
import { migrateTemplate } from "../../../src/flow/index.js";

it.each([
  // contacts and their addresses
  ["Dear @contact,", "Dear @contact,"],
  ["@CONTACT.First_Name", "@contact.first_name"],
  ["@contact.village", "@fields.village"],
  ["in @contact.groups", 'in @(join(contact.groups, ","))'],
  ["call @contact.tel", "call @(format_urn(urns.tel))"],
  ["@contact.tel_e164", '@(default(urn_parts(urns.tel).path, ""))'],
  ["@contact.viber", '@(default(urn_parts(urns.viber).path, ""))'],
  ["@contact.viber.display", "@(format_urn(urns.viber))"],
  ["@contact.viber.urn", "@urns.viber"],
  ["@contact.viber.scheme @contact.viber.path", "@(urn_parts(urns.viber).scheme) @(urn_parts(urns.viber).path)"],
  ["@step.contact.village and @flow.contact", "@fields.village and @contact"],
  ["@parent.contact.village", "@parent.fields.village"],
  ["@child.contact.tel", "@(format_urn(child.urns.tel))"],
  // results, input, channel, extra
  ["@flow", "@results"],
  ["@flow.age.category", "@results.age.category_localized"],
  ["@flow.age.text at @flow.age.time", "@results.age.input at @results.age.created_on"],
  ["@flow.1st.value", '@(results["1st"].value)'],
  ["@child.dose", "@child.results.dose"],
  ["@parent", "@parent.results"],
  ["@extra.flow.dose.value", "@parent.results.dose.value"],
  ["@step said @step.text", "@input said @input.text"],
  ["@step.attachments.1", "@(attachment_parts(input.attachments[1]).url)"],
  ["@channel from @channel.name", "@contact.channel.address from @contact.channel.name"],
  ["@extra.price", "@legacy_extra.price"],
  ["@extra.stock.0.name", '@(legacy_extra.stock["0"].name)'],
  // dates
  ["@date", "@(now())"],
  ["@date.today", "@(format_date(today()))"],
  ["@date.tomorrow", '@(format_date(datetime_add(now(), 1, "D")))'],
  // not an expression
  ["write to joe@example.org", "write to joe@example.org"],
  ["@facebook and @@contact", "@facebook and @@contact"],
  ["Bye @contact.name.", "Bye @contact.name."],
  ["what @contact.age...?", "what @fields.age...?"],
  ["50% @ 3 @", "50% @ 3 @"],
  ['@("")', ""],
  // malformed: as it was
  ["@(1 +)", "@(1 +)"],
  ["@(contact.name", "@(contact.name"],
  ["@(LEFT(contact.name))", "@(LEFT(contact.name))"],
  ["@(contact[0])", "@(contact[0])"],
  ["@()", "@()"],
])("writes %j natively as %j", (legacy, native) => {
  expect(migrateTemplate(legacy)).toBe(native);
});

it.each([
  ["1 <> 2", "1 != 2"],
  ["-2 ^ 2 * 3", "-2 ^ 2 * 3"],
  ['"say ""hi"""', '"say \\"hi\\""'],
  ["True", "true"],
  ['contact.name&":"&flow.age', 'contact.name & ":" & results.age'],
  ["((1))", "((1))"],
  ["unheard_of(contact.age)", "unheard_of(fields.age)"],
  // functions with another name or form
  ["AVERAGE(1, 2)", "mean(1, 2)"],
  ['CONCATENATE("a", "b", "c")', '"a" & "b" & "c"'],
  ["DATE(2020, 2, 29)", "date_from_parts(2020, 2, 29)"],
  ['DAYS("2020-03-01", "2020-02-01")', 'datetime_diff("2020-02-01", "2020-03-01", "D")'],
  ["EDATE(NOW(), 2)", 'datetime_add(now(), 2, "M")'],
  ["MONTH(date.now)", 'format_date(now(), "M")'],
  ["SECOND(date.now)", 'format_datetime(now(), "s")'],
  ["EXP(2)", "2.718281828459045 ^ 2"],
  ['FIELD(step.value, 3, "+")', 'field(input, 2, "+")'],
  ['FIELD(step.value, flow.n, "+")', 'field(input, results.n - 1, "+")'],
  ["FIXED(3.14159)", "format_number(3.14159, 2)"],
  ["FIXED(3.14159, 1, TRUE)", "format_number(3.14159, 1, true)"],
  ["LEFT(step.text, 3)", "text_slice(input.text, 0, 3)"],
  ["RIGHT(step.text, 3)", "text_slice(input.text, -3)"],
  ["POWER(2, 10)", "2 ^ 10"],
  ["SUM(1, 2, 3)", "1 + 2 + 3"],
  ["WEEKDAY(date.now)", "weekday(now()) + 1"],
  ["WORD(step.text, 2, TRUE)", 'word(input.text, 1, " \\t")'],
  ["WORD_SLICE(step.text, 2, 4, FALSE)", "word_slice(input.text, 1, 3, NULL)"],
  // sums: of numbers, of dates and days, of dates and times, of what is not known
  ["LEN(step.text) + 1", "legacy_add(text_length(input.text), 1)"],
  ["ROUND(2.5) - 1", "round(2.5) - 1"],
  ["date.now - 7", 'datetime_add(now(), -7, "D")'],
  ["date.today + 1", 'format_date(datetime_add(format_date(today()), 1, "D"))'],
  ["TODAY() + TIMEVALUE(flow.hour)", "replace_time(today(), time(results.hour))"],
  [
    "NOW() - TIME(1, 0, 0)",
    'datetime_add(now(), -(format_time(time_from_parts(1, 0, 0), "tt") * 60 + format_time(time_from_parts(1, 0, 0), "m")), "m")',
  ],
  ["contact.due - 14", "legacy_add(fields.due, -14)"],
  ["contact.a + contact.b - contact.c", "legacy_add(legacy_add(fields.a, fields.b), -fields.c)"],
])("writes the expression %j natively as %j", (legacy, native) => {
  expect(migrateTemplate(`@(${legacy})`)).toBe(`@(${native})`);
});

it("lets operands stand for themselves when they fail", () => {
  const options = { defaultsToSelf: true };
  expect(migrateTemplate("@contact.age", options)).toBe('@(if(is_error(fields.age), "@contact.age", fields.age))');
  expect(migrateTemplate('@("a" & step)', options)).toBe(
    '@(if(is_error("a" & input), "@(\\"a\\" & step)", "a" & input))',
  );
});

it("encodes values in URLs, and keeps days as dates where they are compared", () => {
  expect(migrateTemplate("http://x.test/?n=@contact.name", { isUrl: true })).toBe(
    "http://x.test/?n=@(url_encode(contact.name))",
  );
  expect(migrateTemplate("@(date.today - 3)", { keepsDates: true })).toBe('@(datetime_add(today(), -3, "D"))');
});

it("never fails, and leaves text without @ alone", () => {
  const part = fc.constantFrom(
    "@",
    "@(",
    ")",
    "(",
    '"',
    "contact",
    ".",
    "name",
    " + ",
    "1",
    "LEFT(",
    ",",
    "é",
    "\n",
    "\\",
  );
  const template = fc.array(part, { maxLength: 40 }).map((parts) => parts.join(""));
  fc.assert(
    fc.property(template, (text) => {
      const native = migrateTemplate(text);
      expect(typeof native).toBe("string");
      if (!text.includes("@")) expect(native).toBe(text);
    }),
  );
});

it("bounds the work for deeply nested expressions", () => {
  const deep = `@(${"(".repeat(5000)}1${")".repeat(5000)})`;
  expect(migrateTemplate(deep)).toBe(deep);
  let doubling = "TIME(1, 0, 0)";
  for (let level = 0; level < 40; level++) doubling = `TIME(NOW() + ${doubling}, 0, 0)`;
  expect(migrateTemplate(`@(${doubling})`)).toBe(`@(${doubling})`);
});
