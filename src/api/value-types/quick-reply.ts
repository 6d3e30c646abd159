import { InvalidValue } from "../error.js";
import { type ValueType, parseText } from "../body-fields.js";

/** A quick reply: text, or an object with the property `text` (docs/reference/service-api.md#messages). */
export const quickReply: ValueType<string> = {
  schema: { anyOf: [{ type: "string" }, { type: "object", properties: { text: { type: "string" } } }] },
  shape: "one",
  parse(value) {
    if (typeof value !== "object" || value === null) return parseText(value);
    if (!("text" in value) || !Object.hasOwn(value, "text")) throw new InvalidValue("A quick reply needs a text.");
    return parseText(value.text);
  },
};
