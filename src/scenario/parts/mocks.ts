import * as z from "zod";
import { count, duration, pattern, text, word } from "../fields/fields.js";
import { readCount } from "../fields/values/number.js";
import type { CallMock } from "../scenario.js";
import type { DocumentReader } from "../sheet/document-reader.js";
import { type Field, field, keyed, type TextInput, textShape } from "../sheet/field.js";
import { plainValueOf } from "../sheet/plain-value.js";
import { keyConflict, type Path, type RawValue, type Read } from "../sheet/raw-value.js";
import { checkHeader } from "./headers.js";

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"] as const;

const readStatus: Read<number> = (value, report) => {
  const status = readCount({ min: 0, max: Number.MAX_SAFE_INTEGER })(value, report);
  if (status === undefined || status === 0 || (status >= 200 && status <= 599)) return status;
  report({
    code: "out-of-range",
    message: `must be 0 or 200..599, got ${status}`,
    hint: "0 is a call without an answer",
  });
  return undefined;
};

const mockStatus: Field<number, number> = field(
  z.union([z.literal(0), z.int().min(200).max(599)]),
  readStatus,
  "The answer's status; 0: there is no connection.",
);

const mockBody: Field<RawValue, TextInput | object> = field(
  z.union([textShape, z.looseObject({}), z.array(z.unknown())]),
  (value, report) => {
    if (value !== undefined && value !== null) return value;
    report({ code: "bad-value", message: "has no value", hint: 'leave it out, or write "" or {}' });
    return undefined;
  },
  "The answer's body: a text; or a map or list, which is sent as JSON.",
);

const mock = keyed({
  url: pattern("The URLs that it answers: a part of the URL, or a /regular expression/."),
  method: word(methods, "The method that it answers; default: all.").optional(),
  status: mockStatus.prefault(200),
  headers: z.record(z.string(), text("The header's value.")).describe("The answer's headers.").optional(),
  body: mockBody.optional(),
  after: duration("How long after the call the answer comes, in virtual time; default: the lookahead.").optional(),
  times: count("How many calls it answers; then the entries below it apply; default: all.", {
    min: 1,
    max: Number.MAX_SAFE_INTEGER,
  }).optional(),
});

/** An entry of `mocks`. */
export const mockSchema: z.ZodType = mock;

/** What the typed builder takes for an entry of `mocks`. */
export type MockInput = z.input<typeof mock>;

/** Reads an entry of `mocks`; undefined if it is invalid. */
export function readMock(reader: DocumentReader, path: Path, lookaheadMs: number): CallMock | undefined {
  const given = reader.read(mock, path);
  if (given === undefined) return undefined;
  if (given.status === 0) refuseAnswer(reader, path);
  const headers = { ...given.headers };
  for (const [name, value] of Object.entries(headers)) checkHeader(reader, [...path, "headers", name], value);
  const isJson = typeof given.body === "object";
  const typed = Object.keys(headers).some((name) => name.toLowerCase() === "content-type");
  return {
    url: given.url,
    method: given.method,
    status: given.status,
    headers: isJson && !typed ? { "Content-Type": "application/json", ...headers } : headers,
    body: typeof given.body === "object" ? jsonAt(reader, [...path, "body"]) : String(given.body ?? ""),
    afterMs: given.after ?? lookaheadMs,
    times: given.times,
  };
}

function refuseAnswer(reader: DocumentReader, path: Path): void {
  for (const key of ["headers", "body"]) {
    if (reader.at([...path, key]) === undefined) continue;
    reader.reportProblem(
      [...path, key],
      keyConflict(
        `'${key}' belongs to an answer, and with status 0 there is none`,
        "leave it out, or give another status",
      ),
    );
  }
}

function jsonAt(reader: DocumentReader, path: Path): string {
  const tree = reader.tree(path);
  return tree === undefined ? "" : JSON.stringify(plainValueOf(tree));
}
