import { isFieldInput, storedFieldText } from "../../account/index.js";
import { InvalidValue } from "../error.js";
import { dictionaryType, type ValueType, shorten, requireStorable } from "../body-fields.js";

const anyDictionary = dictionaryType({ type: ["string", "number", "boolean", "null"] });

/** Values of contact fields by key, as stored; undefined clears a value (docs/reference/service-api.md#contacts). */
export const contactFields: ValueType<ReadonlyMap<string, string | undefined>> = {
  ...anyDictionary,
  parse(value, request) {
    const values = new Map<string, string | undefined>();
    for (const [key, given] of anyDictionary.parse(value, request)) {
      if (request.context.tables.fields.byKey(key) === undefined)
        throw new InvalidValue(`Unknown contact field: ${shorten(key)}`);
      if (!isFieldInput(given)) throw new InvalidValue("Not a valid string.");
      if (typeof given === "string") requireStorable(given);
      values.set(key, storedFieldText(given));
    }
    return values;
  },
};
