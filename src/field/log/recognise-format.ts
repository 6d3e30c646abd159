import { LabError } from "../../base/index.js";
import { guessLogLine } from "../readers/guess-log-line.js";
import { parseObject } from "../readers/jsonl.js";

/** Formats of field logs. */
export const fieldFormats = ["jsonl", "access-log", "har", "csv", "gor", "sqlite", "events", "messages"] as const;

export type FieldFormat = (typeof fieldFormats)[number];

/** A format that is read as text. */
export type TextFormat = Exclude<FieldFormat, "sqlite">;

/** Keys that only a JSON access log has. */
const accessKeys = ["request_body", "request_uri", "request_method", "request_time", "body_bytes_sent", "remote_addr"];

/**
 * The format of a source by the begin of its text.
 *
 * @param head - the whole text, or at least some thousand characters of it
 * @throws LabError `bad-options` if it has none of the formats
 */
export function recogniseFormat(head: string, name: string): TextFormat {
  const text = head.trimStart();
  if (text === "") throw new LabError("bad-options", `${name} is empty`);
  if (/^[123] [\da-zA-Z]+ \d+[^\n]*\n/.test(text)) return "gor";
  if (/^\{\s*"log"\s*:\s*\{/.test(text)) return "har";
  if (/^[[{]/.test(text)) return jsonFormat(text);
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "");
  const whole = lines.length > 1 ? lines.slice(0, Math.min(20, lines.length - 1)) : lines;
  if (whole.some((line) => guessLogLine(line) !== undefined)) return "access-log";
  const [header = ""] = lines;
  const isText = !text.includes("\0");
  if (isText && header.length < 4096 && /[,;\t|]/.test(header) && /\p{L}/u.test(header)) return "csv";
  throw new LabError("bad-options", `${name} has none of the known formats`, {
    hint: `name it: --format ${fieldFormats.join("|")}; --log-format '…' for an access log with a format of its own`,
  });
}

function jsonFormat(text: string): TextFormat {
  const [firstLine = ""] = text.split(/\r?\n/, 1);
  const first = parseObject(firstLine);
  if (first === undefined) {
    return /"results"\s*:\s*\[/.test(text.slice(0, 4096)) && !text.startsWith('[{"at"') ? "messages" : "jsonl";
  }
  if (Array.isArray(first["results"])) return "messages";
  if (typeof first["at"] === "number" && typeof first["body"] === "string" && Array.isArray(first["attempts"]))
    return "events";
  const flat = new Set(keysOf(first));
  return accessKeys.some((key) => flat.has(key)) ? "access-log" : "jsonl";
}

function keysOf(value: object): string[] {
  return Object.entries(value).flatMap(([key, inner]: [string, unknown]) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? [key, ...keysOf(inner)]
      : [key.toLowerCase()],
  );
}
