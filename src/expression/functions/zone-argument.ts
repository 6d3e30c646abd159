import { isTimezone } from "../../wire/index.js";
import { toText } from "../conversions.js";
import type { Environment } from "../environment.js";
import { ErrorValue } from "../values/error-value.js";
import type { Value } from "../values/value.js";

/** Name of a time zone from an argument; an empty text is UTC. */
export function toZone(environment: Environment, value: Value): string | ErrorValue {
  const name = toText(environment, value);
  if (name instanceof ErrorValue) return name;
  if (name === "") return "UTC";
  return isTimezone(name) ? name : new ErrorValue(`unknown time zone ${name}`);
}
