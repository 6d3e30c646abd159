import { Fault } from "../error.js";
import { type Kind, textOf } from "../fields.js";

/** An answer that is offered together with a message: a text, or an object with one (service-api.md 2.15). */
export const quickReply: Kind<string> = {
  schema: { anyOf: [{ type: "string" }, { type: "object", properties: { text: { type: "string" } } }] },
  shape: "one",
  read(value) {
    if (typeof value !== "object" || value === null) return textOf(value);
    if (!("text" in value) || !Object.hasOwn(value, "text")) throw new Fault("A quick reply needs a text.");
    return textOf(value.text);
  },
};
