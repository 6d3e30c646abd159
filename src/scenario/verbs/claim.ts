import { formed } from "../fields/fields.js";
import { keyed } from "../sheet/field.js";
import { ofHandsets, verb } from "./verb.js";

const number = formed(
  /^(\+[1-9][0-9]{6,14}|none)$/,
  "a phone number such as +250788000001, or none",
  "The channel's number, or none; by default the phone's last one. On a claimed channel it changes the number.",
);

/** The verb `claim`: a person claims phones at the service. */
export const claim = verb({
  name: "claim",
  about: "Somebody claims the phones under the ids with which they have registered again.",
  example: "{ at: 2h, claim: { of: clinic/3, phone: none } }",
  args: keyed({ of: ofHandsets, phone: number.optional() }),
  toInput: ({ of, phone }, step) => ({
    to: "gateway",
    input: { verb: "claim", of: step.resolveHandsets(of, "of"), phone: phone === "none" ? "" : phone },
  }),
});
