import { jsonText } from "./json-text.js";
import { ErrorValue } from "../values/error-value.js";
import type { Value } from "../values/value.js";

/**
 * Plain JSON data of a value, as `json()` writes it. Numbers become JavaScript's, so digits beyond its precision are
 * rounded. An error is null.
 */
export function toJson(value: Value): unknown {
  const text = jsonText(value);
  return text instanceof ErrorValue ? null : JSON.parse(text);
}
