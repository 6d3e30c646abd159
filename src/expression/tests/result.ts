import { objectValue, type ObjectValue, type Value } from "../values/value.js";

/** Result of a failed test: false, with an empty match. */
export const noMatch: ObjectValue = objectValue({ match: "" }, false);

/** Result of a passed test, with the part of the operand that matched. */
export function matched(match: Value): ObjectValue {
  return objectValue({ match }, true);
}

/** Result of a passed test, with extra values. */
export function matchedWith(match: Value, extra: ObjectValue): ObjectValue {
  return objectValue({ match, extra }, true);
}
