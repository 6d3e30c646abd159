import { escapeForm, parseForm } from "../text/form.js";
import { formatTimestamp, parseTimestamp } from "../text/timestamp.js";

/** Fields with a time, in all spellings and event types (`event-fields.ts`). */
const timeFields: ReadonlySet<string> = new Set(["time", "occurred_on", "last_seen"]);

/**
 * Shifts the times in the body of an event: of messages, calls, alarms, and of each value of a flow. A shifted time keeps
 * its form (seconds or milliseconds since 1970, ISO 8601 with its fraction digits and zone). All other bytes stay.
 */
export function shiftEventTimes(body: string, byMs: number): string {
  return body
    .split("&")
    .map((pair) => {
      const [key, value] = parseForm(pair)[0] ?? ["", ""];
      const shifted = timeFields.has(key)
        ? shiftTime(value, byMs)
        : key === "values"
          ? shiftValues(value, byMs)
          : value;
      return shifted === value ? pair : `${pair.slice(0, pair.indexOf("="))}=${escapeForm(shifted)}`;
    })
    .join("&");
}

/** A time in the same form; any other text is returned as it is. */
function shiftTime(text: string, byMs: number): string {
  if (/^\d{12,13}$/.test(text)) return String(Number(text) + byMs);
  if (/^\d{9,10}$/.test(text)) return String(Number(text) + Math.round(byMs / 1000));
  const parts = /^(\d{4}-\d\d-\d\d)([T ])(\d\d:\d\d:\d\d)(\.\d+)?(Z|[+-]\d\d:?\d\d)?$/.exec(text);
  if (parts === null) return text;
  const [, day = "", separator = "T", clock = "", fraction = "", zone = ""] = parts;
  const wholeMs = parseTimestamp(`${day}T${clock}`);
  if (wholeMs === undefined) return text;
  // Digits beyond milliseconds stay: the shift has none.
  const milliseconds = Number(fraction.slice(1, 4).padEnd(3, "0"));
  const [shiftedDay, rest = ""] = formatTimestamp(wholeMs + milliseconds + byMs).split("T");
  const digits = `${rest.slice(9, 12)}${fraction.slice(4)}`.slice(0, Math.max(0, fraction.length - 1));
  return `${shiftedDay}${separator}${rest.slice(0, 8)}${fraction === "" ? "" : `.${digits}`}${zone}`;
}

/** The JSON of a flow's values with their times shifted. */
function shiftValues(json: string, byMs: number): string {
  return json.replaceAll(
    /("time"\s*:\s*)("([^"\\]*)"|\d{9,13}(?=\s*[,}]))/g,
    (_, key: string, whole: string, quoted: string | undefined) =>
      `${key}${quoted === undefined ? shiftTime(whole, byMs) : `"${shiftTime(quoted, byMs)}"`}`,
  );
}
