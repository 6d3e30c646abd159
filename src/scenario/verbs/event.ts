import * as z from "zod";
import { formed, selection, text } from "../fields/fields.js";
import { keyed } from "../sheet/field.js";
import { verb } from "./verb.js";

/** The verb `event`: the service sends an event with any type and fields. */
export const event = verb({
  name: "event",
  about: "The service sends any event, of unknown types too: receivers must bear them.",
  example: "{ at: 1h, event: { of: clinic/3, type: mo_mms, fields: { phone: +250788000001, media: photo.jpg } } }",
  args: keyed({
    of: selection("The handsets for whose channels it is sent."),
    type: formed(/^[A-Za-z][A-Za-z0-9_.-]{0,63}$/, "a word such as mo_sms", "The event's type."),
    fields: z
      .record(z.string(), text("The field's value."))
      .describe("Fields of the body, in this order; they replace those that the service fills in.")
      .optional(),
  }),
  toInput: ({ of, type, fields = {} }, step) => ({
    to: "gateway",
    input: { verb: "event", of: step.resolveHandsets(of, "of"), type, fields: Object.entries(fields) },
  }),
});
