import { parseForm } from "../../../wire/index.js";
import { LogSample } from "../columns/log-sample.js";
import type { ReceivedTable } from "./received-table.js";

/**
 * Replaces each column of posted event bodies by columns for the fields in them. A field replaces a column of the same
 * name.
 */
export function splitPostedBodies(table: ReceivedTable): void {
  const sample = new LogSample(table);
  for (const name of sample.columns) {
    if (sample.share(name, ({ text }) => isPostedBody(text)) < 0.5) continue;
    const bodies = table.column(name);
    table.remove(name);
    const fields = new Set(sample.cells(name).flatMap(({ text }) => parseForm(text).map(([field]) => field)));
    for (const field of fields) table.remove(field);
    bodies.forEach((body, row) => {
      if (body === undefined || !isPostedBody(body)) return;
      // The first value of a repeated field counts, so it is set last.
      for (const [field, text] of parseForm(body).toReversed()) if (fields.has(field)) table.set(field, row, text);
    });
  }
}

function isPostedBody(text: string): boolean {
  return /(?:^|&)event=/.test(text) && /(?:^|&)(?:relayer|channel|sms|call|id|phone)=/.test(text);
}
