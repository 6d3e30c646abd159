import * as z from "zod";
import { count, text } from "../fields/fields.js";
import { keyed } from "../sheet/field.js";

/** Requests of one file at most: a bug file is small, and a recording is for more. */
export const mostRequests = 10_000;

/** `seen`: what went wrong when a bug file was written. */
export const seenSchema = keyed({
  condition: text("The condition of the failure, as --while spells it.").optional(),
  request: count("The request on which it was seen, counted from 1.", { min: 1, max: mostRequests }).optional(),
  status: text("The status of the answer.").optional(),
  answer: text("The body of the answer, or its beginning.").optional(),
  error: text("Why there was no answer.").optional(),
  at: text("When it was seen.").optional(),
  runs: text("In how many runs of how many.").optional(),
}).describe("What went wrong when the file was written; for readers, it is not judged.");

/** `versions`: what a bug file was written with. */
export const versionsSchema = z
  .record(z.string(), text("A version."))
  .describe("The versions with which it was written.");
