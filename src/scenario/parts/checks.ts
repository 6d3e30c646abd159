import type * as z from "zod";
import { duration } from "../fields/fields.js";
import { durationLiteral } from "../fields/values/duration.js";
import type { StoryClock } from "../fields/values/moment.js";
import { moment } from "../fields/varying-fields.js";
import type { TimedCheck } from "../scenario.js";
import type { DocumentReader } from "../sheet/document-reader.js";
import { keyed, keysOf } from "../sheet/field.js";
import type { Path } from "../sheet/raw-value.js";
import { checkOf, checkShape } from "../verbs/check.js";
import { formatOnOneLine } from "./read-verb.js";

function shapeOf(clock: StoryClock) {
  const times = {
    at: moment("When it is asked, or first asked; default: at the end, after the drain.", clock).optional(),
    every: duration("It is asked again and again, at this distance, until 'lasts'.", { minMs: 1000 }).optional(),
  };
  return keyed({ ...checkShape, ...times }).meta(keysOf("oneOf", ["http", "command"]));
}

/** The schema of an entry of `checks`, for the JSON Schema and the builder. */
export const timedCheckSchema: ReturnType<typeof shapeOf> = shapeOf({ startsAtMs: 0, timezone: "UTC" });

/** An entry of `checks` in the typed builder. */
export type TimedCheckInput = z.input<typeof timedCheckSchema>;

/** Reads an entry of `checks`; undefined if it is not sound. */
export function readTimedCheck(
  reader: DocumentReader,
  path: Path,
  { clock, lastsMs = Infinity }: { readonly clock: StoryClock; readonly lastsMs: number | undefined },
): TimedCheck | undefined {
  const given = reader.read(shapeOf(clock), path);
  if (given === undefined) return undefined;
  const check = checkOf(given, {
    reportProblem: (inner, problem) => reader.reportProblem([...path, ...inner], problem),
    spellingOf: (...inner) => formatOnOneLine(reader.at([...path, ...inner]) ?? ""),
  });
  const { every: everyMs } = given;
  const atMs = given.at ?? everyMs;
  if (atMs === undefined) return { check };
  if (atMs > lastsMs) {
    reader.reportProblem([...path, given.at === undefined ? "every" : "at"], {
      code: "after-end",
      message: `is at ${durationLiteral(atMs)}, but the scenario lasts ${durationLiteral(lastsMs)}`,
      hint: "leave it out: the check is then asked at the end",
    });
  }
  return { check: { ...check, text: withTimes(check.text, given.at, everyMs) }, atMs, everyMs };
}

/** The text of a check with its times before the closing brace. */
function withTimes(text: string, atMs: number | undefined, everyMs: number | undefined): string {
  const times = [
    ...(atMs === undefined ? [] : [`at: ${durationLiteral(atMs)}`]),
    ...(everyMs === undefined ? [] : [`every: ${durationLiteral(everyMs)}`]),
  ];
  return text.replace(/ \}$/, `, ${times.join(", ")} }`);
}
