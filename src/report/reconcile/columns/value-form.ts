import { NEARLY_ALL } from "./column-search.js";
import type { LogSample } from "./log-sample.js";

/** Forms of values that are neither texts of people nor phones. */
const forms: readonly (readonly [name: string, form: RegExp])[] = [
  ["numbers", /^[+-]?\d+(?:\.\d+)?$/],
  ["times", /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d.*)?$/],
  ["UUIDs", /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i],
  ["true and false", /^(?:true|false)$/i],
  ["ids of events", /^\d+\/\d+$/],
];

/** The kind of nearly all values of a column, if they are neither texts nor phones: `'created' holds times`. */
export function otherContents(sample: LogSample, column: string): string | undefined {
  for (const [name, form] of forms) {
    if (sample.share(column, ({ text }) => form.test(text.trim())) >= NEARLY_ALL) return `'${column}' holds ${name}`;
  }
  const cells = sample.cells(column);
  if (cells.length === 0) return undefined;
  const isOneJson = cells.every(({ text }) => text === cells[0]?.text && /^\s*(?:\{\s*[}"]|\[\s*[\]{["\d])/.test(text));
  return isOneJson ? `'${column}' holds the same JSON in every row` : undefined;
}
