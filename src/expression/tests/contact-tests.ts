import { toArray, toObject, toText } from "../conversions.js";
import type { Environment } from "../environment.js";
import { anyValue, defineFunction } from "../functions/define.js";
import { findPhone } from "../parsing/index.js";
import { ErrorValue } from "../values/error-value.js";
import type { ArrayValue, FunctionValue, Value } from "../values/value.js";
import { matched, noMatch } from "./result.js";

/** Tests of phones, groups and errors (docs/reference/flows.md#tests). */
export const contactTests: readonly FunctionValue[] = [
  defineFunction(
    "has_phone",
    { required: [toText], optional: [toText], work: 1.6 },
    ({ defaultCountry }, text, country) => {
      const phone = findPhone(text, country ?? defaultCountry);
      return phone === undefined ? noMatch : matched(phone);
    },
  ),
  // The third argument is the name of the group, for people who read the flow.
  defineFunction("has_group", { required: [toArray, toText], optional: [anyValue] }, hasGroup),
  defineFunction("has_error", { required: [anyValue] }, (_, value) =>
    value instanceof ErrorValue ? matched(value.message) : noMatch,
  ),
];

function hasGroup(environment: Environment, groups: ArrayValue, uuid: string): Value {
  for (const item of groups.items) {
    const group = toObject(environment, item);
    if (group instanceof ErrorValue) return group;
    const itsUuid = toText(environment, group.get("uuid") ?? null);
    if (itsUuid instanceof ErrorValue) return itsUuid;
    if (itsUuid === uuid) return matched(group);
  }
  return noMatch;
}
