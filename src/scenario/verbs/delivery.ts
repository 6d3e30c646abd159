import { word } from "../fields/fields.js";
import { keyed, keysOf } from "../sheet/field.js";
import { keyConflict } from "../sheet/raw-value.js";
import { ofDelivery, scopeFields, troubleArguments, troubleFields, troublesOf } from "./delivery-arguments.js";
import { forTime, verb } from "./verb.js";

/** The verb `delivery`: trouble between the service and the receiver, and its end. */
export const delivery = verb({
  name: "delivery",
  about: "Requests to the receiver meet trouble on the way: they or their answers are lost, late, doubled or cut.",
  example: "{ at: 1h, delivery: { of: clinic, types: [mo_sms], answers-lost: 10%, for: 20m } }",
  args: keyed({
    of: ofDelivery,
    ...troubleFields,
    ...scopeFields,
    state: word(["ok"], "All trouble of these handsets' events ends.").optional(),
    for: forTime,
  }).meta(keysOf("anyOf", [...troubleArguments, "state"])),
  toInput: (args, step) => {
    const { of, types, person, times, state, for: forMs } = args;
    const [first] = troubleArguments.filter((kind) => step.isWritten(kind));
    if (first === undefined && state === undefined) {
      const message = "needs a trouble, such as 'answers-lost: 10%' or 'delay: 30s', or 'state: ok'";
      step.reportProblem([], { code: "missing-key", message, on: "key" });
    }
    const other = first ?? ["types", "person", "share", "times", "for"].find((key) => step.isWritten(key));
    if (state !== undefined && other !== undefined) {
      step.reportProblem(["state"], keyConflict(`'state' and '${other}' cannot both be`, "make two steps of it"));
    }
    return {
      to: "delivery",
      input: {
        of: step.resolveHandsets(of, "of"),
        ...(types !== undefined && { types }),
        ...(person !== undefined && { person: step.resolveChoice(person, "person") }),
        troubles: troublesOf(args, (path, problem) => step.reportProblem([...path], problem)),
        ...(times !== undefined && { times }),
        ...(state !== undefined && { state }),
        forMs,
      },
    };
  },
});
