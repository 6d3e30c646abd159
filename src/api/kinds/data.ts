import { normaliseParams, type StartParam } from "../../wire/index.js";
import { Fault } from "../error.js";
import { type Kind, typeName, wellFormed } from "../fields.js";

/**
 * Any JSON that a flow is to read, in the form in which it is kept (service-api.md 2.12); null: nothing.
 * Forms send it as `extra[key]=value`.
 */
export const data: Kind<StartParam | null> = {
  schema: { description: "Any JSON; arrays are kept as objects, and 256 values of it at most" },
  shape: "dict",
  read(value) {
    check(value);
    return normaliseParams(value);
  },
};

/** The same, of an object. */
export const dataObject: Kind<StartParam | null> = {
  schema: { type: "object", additionalProperties: true, description: "Arrays inside are kept as objects" },
  shape: "dict",
  read(value, call) {
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      throw new Fault(`Expected a dictionary of items but got type "${typeName(value)}".`);
    }
    return data.read(value, call);
  },
};

/** @throws Fault for what no database and no other system would keep: odd text, numbers beyond all bounds */
function check(value: unknown): void {
  if (typeof value === "string") wellFormed(value);
  else if (typeof value === "number" && !Number.isFinite(value)) throw new Fault("Value must be valid JSON.");
  else if (typeof value === "object" && value !== null) {
    for (const [key, member] of Object.entries(value)) {
      wellFormed(key);
      check(member);
    }
  }
}
