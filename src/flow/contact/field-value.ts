import {
  callFunction,
  type Environment,
  ObjectValue,
  parseDateTime,
  toNumber,
  Decimal,
} from "../../expression/index.js";
import type { FieldValue } from "../contact-state.js";

/** A field's text with its other forms: docs/reference/flows.md#dates-and-field-values. */
export function parseFieldValue(environment: Environment, text: string): FieldValue {
  const number = toNumber(environment, text);
  const datetime = parseDateTime(environment, text, { fillTime: true });
  return {
    text,
    ...(datetime !== undefined && { datetime: datetime.toString() }),
    ...(number instanceof Decimal && { number: number.toFixed() }),
    ...(environment.locations !== undefined && parseLocation(environment, text)),
  };
}

/** The location that a text names: a path, or the name of a state. */
function parseLocation(
  environment: Environment,
  text: string,
): Partial<Pick<FieldValue, "state" | "district" | "ward">> {
  const levels = ["state", "district", "ward"] as const;
  const parts = text.split(">").map((part) => part.trim());
  if (parts.length > 1) {
    const level = levels[parts.length - 2];
    let parent: string | undefined;
    for (const [index, part] of parts.slice(1).entries()) {
      const found = environment.locations?.find(index + 1, part, parent);
      if (found?.length !== 1) return {};
      parent = found[0];
    }
    if (level === undefined || parent === undefined) return {};
    const path = parent.split(" > ");
    return Object.fromEntries(
      levels.slice(0, parts.length - 1).map((name, index) => [name, path.slice(0, index + 2).join(" > ")]),
    );
  }
  const result = callFunction(environment, "has_state", [text]);
  const match = result instanceof ObjectValue ? result.get("match") : undefined;
  return typeof match === "string" ? { state: match } : {};
}
