import { count, formed } from "../fields/fields.js";
import { keyed } from "../sheet/field.js";
import { keyConflict } from "../sheet/raw-value.js";
import { ofHandsets, verb } from "./verb.js";

const number = formed(
  /^(\+[1-9][0-9]{6,14}|none)$/,
  "a phone number such as +250788000001, or none",
  "The channel's number, or none; by default the phone's last one. On a claimed channel it changes the number.",
);

const org = count("The organisation that claims them: 1 is the account's own, any other is another one; default: 1.", {
  min: 1,
  max: 2_147_483_647,
});

/** The verb `claim`: a person claims phones at the service. */
export const claim = verb({
  name: "claim",
  about:
    "Somebody claims phones under the ids with which they registered again, or moves channels to another organisation.",
  example: "{ at: 2h, claim: { of: clinic/3, phone: none } }",
  args: keyed({ of: ofHandsets, phone: number.optional(), org: org.optional() }),
  toInput: ({ of, phone, org: by }, step) => {
    if (phone !== undefined && by !== undefined && by > 1) {
      step.reportProblem(["phone"], keyConflict("'phone' is a number of this organisation", "leave it out, or org"));
    }
    return {
      to: "gateway",
      input: { verb: "claim", of: step.resolveHandsets(of, "of"), phone: phone === "none" ? "" : phone, org: by },
    };
  },
});
