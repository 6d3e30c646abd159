import { Fault } from "../error.js";
import { type Kind, text } from "../fields.js";

const anyName = text({ max: 64 });

/** The name of a group or label: begins with a letter, digit or underscore of any script (service-api.md 2.13). */
export const nameOfThing: Kind<string> = {
  ...anyName,
  read(value, call) {
    const name = anyName.read(value, call);
    if (!/^[\p{L}\p{N}_]/u.test(name)) throw new Fault("The name must begin with a letter or a digit.");
    return name;
  },
};
