import {
  DateTimeValue,
  defaultNumberFormat,
  type Environment,
  evaluateTemplate,
  ObjectValue,
} from "../src/expression/index.js";
import { medianOf, printTable } from "./table.js";

const now = new DateTimeValue(1_772_000_000_000, 0, "UTC");
const environment: Environment = {
  timezone: "Africa/Kigali",
  dateFormat: "DD-MM-YYYY",
  timeFormat: "tt:mm",
  allowedLanguages: ["eng"],
  numberFormat: defaultNumberFormat,
  now: () => now,
  random: () => 0.5,
};

const context = new ObjectValue(() => ({
  contact: new ObjectValue(() => ({ name: "Ann Uwase" }), "Ann Uwase"),
  fields: new ObjectValue(() => ({ age: "33" })),
}));

/** Templates per second. */
function rateOf(template: string, count: number): number {
  const startedAt = performance.now();
  for (let index = 0; index < count; index++) evaluateTemplate(environment, context, template);
  return (count / (performance.now() - startedAt)) * 1000;
}

const templates: readonly { readonly name: string; readonly template: string; readonly limit?: number }[] = [
  { name: "variables", template: "Hi @contact.name, you are @fields.age", limit: 100_000 },
  { name: "an expression", template: '@(if(fields.age >= 18, upper(contact.name), "too young"))' },
  { name: "a date", template: '@(format_date(datetime_add(now(), 7, "D"), "EEEE D MMMM"))' },
];

/** Simple templates must be evaluated at 100,000 a second. */
export function benchExpression(): void {
  console.log("Templates: evaluations a second, parsed before\n");
  for (const { template } of templates) rateOf(template, 50_000);
  const rates = templates.map(({ template }) => medianOf(Array.from({ length: 5 }, () => rateOf(template, 100_000))));
  printTable(
    ["template", "templates/s", "at least"],
    templates.map(({ name, limit }, index) => [
      name,
      Math.round(rates[index] ?? Number.NaN).toLocaleString("en-US"),
      limit?.toLocaleString("en-US") ?? "",
    ]),
  );
}
