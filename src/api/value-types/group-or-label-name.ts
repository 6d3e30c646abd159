import { InvalidValue } from "../error.js";
import { type ValueType, textType } from "../body-fields.js";

const anyName = textType({ max: 64 });

/**
 * The name of a group or label: begins with a letter, digit or underscore of any script
 * (docs/reference/service-api.md#groups).
 */
export const groupOrLabelName: ValueType<string> = {
  ...anyName,
  parse(value, request) {
    const name = anyName.parse(value, request);
    if (!/^[\p{L}\p{N}_]/u.test(name)) throw new InvalidValue("The name must begin with a letter or a digit.");
    return name;
  },
};
