import { schema, type ValueOf } from "../../../schema/index.js";
import { nullableText, nullableTime } from "./shared.js";

const { arrayOf, described, integer, mapOf, nullable, number, objectOf, text, timestamp } = schema;

const cause = objectOf({
  at: timestamp,
  of: described("The handset, `receiver`, or how many phones at once", text),
  what: described("In words, as in a story: `network none for 24m`", text),
  evidence: text,
  rows: described("Number of events that it explains", integer),
});

/** A field log that was read. */
export const fieldLog = objectOf({
  name: text,
  format: text,
  lines: integer,
  events: integer,
  rejected: described("By reason", mapOf(integer)),
  handsets: integer,
  people: integer,
  from: nullableTime,
  to: nullableTime,
  types: mapOf(integer),
  answers: described("By HTTP status, or why there was none", mapOf(integer)),
  notes: described("What was assumed in reading", arrayOf(text)),
  causes: nullable(arrayOf(cause)),
  shares: nullable(arrayOf(objectOf({ what: text, rows: integer, share: described("Of all lines, 0 to 1", number) }))),
  unexplained: nullable(integer),
  scenario: described("The day by its causes, as YAML; null: it would be too large for a scenario", nullableText),
});
export type FieldLog = ValueOf<typeof fieldLog>;
