import { normaliseParams, type StartParam } from "../../wire/index.js";
import { InvalidValue } from "../error.js";
import { type ValueType, pythonTypeName, requireStorable } from "../body-fields.js";

/**
 * JSON data for a flow, normalised to its stored form (docs/reference/service-api.md#flow-starts); null: none.
 * Forms send it as `extra[key]=value`.
 */
export const flowData: ValueType<StartParam | null> = {
  schema: { description: "Any JSON; arrays are kept as objects, and 256 values of it at most" },
  shape: "dict",
  parse(value) {
    requireStorableJson(value);
    return normaliseParams(value);
  },
};

/** A JSON object as data for a flow. */
export const flowDataObject: ValueType<StartParam | null> = {
  schema: { type: "object", additionalProperties: true, description: "Arrays inside are kept as objects" },
  shape: "dict",
  parse(value, request) {
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      throw new InvalidValue(`Expected a dictionary of items but got type "${pythonTypeName(value)}".`);
    }
    return flowData.parse(value, request);
  },
};

/** @throws InvalidValue for infinite numbers and for text with NUL characters or lone surrogates */
function requireStorableJson(value: unknown): void {
  if (typeof value === "string") requireStorable(value);
  else if (typeof value === "number" && !Number.isFinite(value)) throw new InvalidValue("Value must be valid JSON.");
  else if (typeof value === "object" && value !== null) {
    for (const [key, member] of Object.entries(value)) {
      requireStorable(key);
      requireStorableJson(member);
    }
  }
}
