import type { LabelRow } from "../gateway/index.js";
import type { Call } from "./call.js";
import { Fault } from "./error.js";
import { integerOf, type Kind, shown, wellFormed } from "./fields.js";

/**
 * A reference to something that exists already, as a bare text (service-api.md 1.11). Numbers are taken as text.
 *
 * @param find - undefined when there is no such thing
 */
export function referenceTo<T>(about: string, find: (text: string, call: Call) => T | undefined): Kind<T> {
  return {
    schema: { type: "string", description: about },
    shape: "one",
    read(value, call) {
      if (typeof value !== "string" && integerOf(value) === undefined) throw new Fault("Must be a string or integer");
      const words = wellFormed(String(value));
      if (words === "") throw new Fault("This field may not be null.");
      const found = find(words, call);
      if (found === undefined) throw new Fault(`No such object: ${shown(words)}`);
      return found;
    },
  };
}

/** A message label, by UUID or by name in any case. */
export const labelReference: Kind<LabelRow> = referenceTo(
  "UUID or name of a label",
  (text, { desk }) => desk.tables.labels.byUuid(text.toLowerCase()) ?? desk.tables.labels.byName(text.trim()),
);
