import { keyed, keysOf } from "../sheet/field.js";
import { count, flag, selection, word } from "../fields/fields.js";
import { type Verb, verb } from "./verb.js";

/** Arguments of `sync`. */
export interface SyncArgs {
  readonly of: string;
  readonly loses?: "request" | "response" | undefined;
  readonly times?: number | undefined;
  readonly now?: boolean | undefined;
}

/** Syncs are lost half-way, or made now. */
export const sync: Verb<SyncArgs> = verb({
  name: "sync",
  about: "The next syncs are lost on the way up (request) or down (response), or the phones sync now.",
  example: "{ at: 45m, sync: { of: clinic/3, loses: response, times: 1 } }",
  args: keyed({
    of: selection("The handsets."),
    loses: word(
      ["request", "response"],
      "Which half is lost; after a lost response the phone tells all once more.",
    ).optional(),
    times: count("How many syncs are lost.", { min: 1, max: 1_000_000, default: 1 }).optional(),
    now: flag("The phones sync at once.").optional(),
  }).meta(keysOf("anyOf", ["loses", "now"])),
  toInput: ({ of, loses, times, now }, step) => {
    const handsets = step.handsets(of, "of");
    if (now === true) {
      if (loses !== undefined || times !== undefined) {
        const other = loses === undefined ? "times" : "loses";
        step.tell(["now"], {
          code: "not-together",
          message: `'now' and '${other}' cannot both be`,
          whole: true,
          on: "key",
          hint: "make two steps of it, the loss first",
        });
      }
      return { to: "world", input: { verb: "sync", of: handsets, now: true } };
    }
    if (loses === undefined) {
      step.tell([], {
        code: "missing-key",
        message: "needs 'loses: request', 'loses: response' or 'now: true'",
        on: "key",
      });
    }
    return { to: "world", input: { verb: "sync", of: handsets, loses: loses ?? "request", times: times ?? 1 } };
  },
});
