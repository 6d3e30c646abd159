import * as z from "zod";
import { count, duration, filledText, flag, pattern, statuses, text, url, word } from "../fields/fields.js";
import { scenarioLanguage } from "../language.js";
import { keyed, keysOf, notTogether } from "../sheet/field.js";
import type { Language } from "../sheet/language.js";
import { checkShape } from "../verbs/check.js";
import { mostRequests, seenSchema, versionsSchema } from "./seen.js";

/** The language of bug files of exact requests. */
export const exactLanguage: Language = {
  ...scenarioLanguage,
  noun: "bug file",
  dataMaps: new Set(["fields", "versions"]),
};

/** A request: its event as `fields`, or as the exact `body` where the fields cannot spell it. */
export const requestSchema = keyed({
  at: duration("When it is sent, since the first request; the time is not waited for.").prefault("0s"),
  fields: z
    .record(z.string(), text("The value of a field, without its form encoding."))
    .describe("The event's fields in their order; they are form-encoded.")
    .optional(),
  body: text("The exact body, where 'fields' does not give it byte for byte.").optional(),
  path: filledText("Path and query string, as they were recorded; default: those of the receiver's URL.").optional(),
  "content-type": filledText("Default: application/x-www-form-urlencoded.").optional(),
  with: word(["previous"], "Sent at the same moment as the request before, on another connection.").optional(),
}).meta({ allOf: [keysOf("oneOf", ["fields", "body"]), notTogether("fields", "body")] });

/** What is right about the answer to one request. */
export const expectationSchema = keyed({
  request: count("The request, counted from 1.", { min: 1, max: mostRequests }),
  status: statuses("The statuses that are right: 200, 200..299.").optional(),
  "answers-within": duration("An answer comes within this wall time.", { minMs: 1, maxMs: 600_000 }).optional(),
  replies: flag("Whether the answer asks for a message.").optional(),
  reply: pattern("The text of the reply.").optional(),
  "not-reply": pattern("What the text of the reply must not have.").optional(),
});

/** A log of the receiver that must have each accepted event once. */
export const logExpectationSchema = keyed({
  reconcile: filledText(
    "The receiver's own log or SQLite file, from the working directory; {port} stands for the receiver's port.",
  ),
  query: filledText("The query that reads the log from a SQLite file.").optional(),
  columns: filledText("Columns by role: number=sms,phone=msisdn; default: recognised by their contents.").optional(),
  types: filledText("Types of the compared events: mo_sms,mo_call; default: those in the log, else mo_sms.").optional(),
});

/** The top-level keys with plain values. */
export const exactKeys = {
  name: filledText("What the bug is called; default: the name of the file.").optional(),
  about: text("The bug in one sentence.").optional(),
  seed: count("Kept for readers: exact requests have no chance.", { min: 0, max: Number.MAX_SAFE_INTEGER }).optional(),
  receiver: url("The receiver's URL, unless -r names another.", { words: ["bundled"] }).optional(),
  timeout: duration("Wall time that the receiver has for each answer.", { minMs: 1, maxMs: 600_000 }).prefault("5s"),
  seen: seenSchema.optional(),
  versions: versionsSchema.optional(),
} satisfies Readonly<Record<string, z.ZodType>>;

/** The top-level keys with lists. */
export const exactParts: readonly string[] = ["requests", "expect", "checks"];

export const exactCheckSchema = keyed(checkShape);
