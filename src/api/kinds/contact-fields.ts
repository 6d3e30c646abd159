import { isFieldInput, storedFieldText } from "../../account/index.js";
import { Fault } from "../error.js";
import { dictionary, type Kind, shown, wellFormed } from "../fields.js";

const anyDictionary = dictionary({ type: ["string", "number", "boolean", "null"] });

/** Values of contact fields by key, as they are stored; undefined clears (service-api.md 2.7, op 12). */
export const contactFields: Kind<ReadonlyMap<string, string | undefined>> = {
  ...anyDictionary,
  read(value, call) {
    const values = new Map<string, string | undefined>();
    for (const [key, given] of anyDictionary.read(value, call)) {
      if (call.desk.tables.fields.byKey(key) === undefined) throw new Fault(`Unknown contact field: ${shown(key)}`);
      if (!isFieldInput(given)) throw new Fault("Not a valid string.");
      if (typeof given === "string") wellFormed(given);
      values.set(key, storedFieldText(given));
    }
    return values;
  },
};
