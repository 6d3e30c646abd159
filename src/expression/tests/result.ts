import { objectValue, type ObjectValue, type Value } from "../values/value.js";

/** A test that does not hold: false, with an empty match. */
export const noMatch: ObjectValue = objectValue({ match: "" }, false);

/** A test that holds, and the part of the operand that made it hold. */
export function matched(match: Value): ObjectValue {
  return objectValue({ match }, true);
}

/** A test that holds, with further findings. */
export function matchedWith(match: Value, extra: ObjectValue): ObjectValue {
  return objectValue({ match, extra }, true);
}
