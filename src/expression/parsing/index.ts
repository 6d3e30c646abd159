import type { Environment } from "../environment.js";
import type { DateTimeValue } from "../values/datetime-value.js";

/** @param fillTime - a text without a time gets the present time of day instead of midnight */
export function parseDateTime(
  _environment: Environment,
  _text: string,
  _options: { readonly fillTime: boolean },
): DateTimeValue | undefined {
  return undefined;
}
