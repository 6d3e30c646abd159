import { parseForm } from "../../../wire/index.js";
import { LogSample } from "../columns/log-sample.js";
import type { ReceivedTable } from "./received-table.js";

/** Replaces each column that holds posted bodies of events by their fields. A field replaces a column of its name. */
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
      // Of a repeated field the first value counts, so it is set last.
      for (const [field, text] of parseForm(body).toReversed()) if (fields.has(field)) table.set(field, row, text);
    });
  }
}

function isPostedBody(text: string): boolean {
  return /(?:^|&)event=/.test(text) && /(?:^|&)(?:relayer|channel|sms|call|id)=/.test(text);
}
