import { keyed, keysOf } from "../sheet/field.js";
import { count, flag, word } from "../fields/fields.js";
import { ofHandsets, toWorld, verb } from "./verb.js";
import { keyConflict } from "../sheet/raw-value.js";

/** The verb `sync`: loses the next syncs, or makes phones sync now. */
export const sync = verb({
  name: "sync",
  about: "The next syncs are lost on the way up (request) or down (response), or the phones sync now.",
  example: "{ at: 45m, sync: { of: clinic/3, loses: response, times: 1 } }",
  args: keyed({
    of: ofHandsets,
    loses: word(
      ["request", "response"],
      "Which half is lost; after a lost response the phone tells all once more.",
    ).optional(),
    times: count("How many syncs are lost.", { min: 1, max: 1_000_000 }).prefault(1),
    now: flag("The phones sync at once.").optional(),
  }).meta(keysOf("anyOf", ["loses", "now"])),
  toInput: ({ of, loses, times, now }, step) => {
    const handsets = step.resolveHandsets(of, "of");
    if (now === true) {
      if (loses !== undefined || step.isWritten("times")) {
        const other = loses === undefined ? "times" : "loses";
        step.reportProblem(
          ["now"],
          keyConflict(`'now' and '${other}' cannot both be`, "make two steps of it, the loss first"),
        );
      }
      return toWorld({ verb: "sync", of: handsets, now: true });
    }
    if (loses === undefined) {
      step.reportProblem([], {
        code: "missing-key",
        message: "needs 'loses: request', 'loses: response' or 'now: true'",
        on: "key",
      });
    }
    return toWorld({ verb: "sync", of: handsets, loses: loses ?? "request", times });
  },
});
