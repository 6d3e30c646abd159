import { count, flag, pattern, selection, word } from "../fields/fields.js";
import { keyed, keysOf } from "../sheet/field.js";
import { keyConflict } from "../sheet/raw-value.js";
import { forTime, ofHandsets, verb } from "./verb.js";

const faultKeys = [
  "fails-after",
  "poison",
  "poisons-next",
  "withholds",
  "offers-to",
  "doubles",
  "offers-incoming",
] as const;

/** The verb `service`: faults of the service towards phones, and their end. */
export const service = verb({
  name: "service",
  about: "The service fails in syncs of the phones, offers their messages wrongly or not at all, or works again.",
  example: "{ at: 1h, service: { of: clinic/3, fails-after: 2, for: 20m } }",
  args: keyed({
    of: ofHandsets,
    "fails-after": count(
      "A sync with at least this many reports is answered 500 after this many; they have taken effect, and none is acked.",
      { min: 0, max: 1000 },
    ).optional(),
    poison: pattern("A sync is answered 500 at the first text that contains or matches this.").optional(),
    "poisons-next": flag("A sync is answered 500 at the next text that the phone reports, each time.").optional(),
    withholds: flag("The phones' messages stay queued and are never offered.").optional(),
    "offers-to": selection(
      "The phones that are offered the messages instead, once each, whichever syncs first.",
    ).optional(),
    doubles: flag("Each sync request is processed twice.").optional(),
    "offers-incoming": flag(
      "Texts that come in are offered to the phone as messages to their senders, who get them back.",
    ).optional(),
    state: word(["ok"], "All faults of the service towards the phones end.").optional(),
    for: forTime,
  }).meta(keysOf("anyOf", [...faultKeys, "state"])),
  toInput: (args, step) => {
    const { of, poison, withholds, doubles, state, for: forMs } = args;
    const given = faultKeys.filter((key) => step.isWritten(key));
    if (given.length === 0 && state === undefined) {
      step.reportProblem([], {
        code: "missing-key",
        message: "needs a fault, such as 'fails-after: 2' or 'withholds: true', or 'state: ok'",
        on: "key",
      });
    }
    const [other] = [...given, ...(step.isWritten("for") ? ["for"] : [])];
    if (state !== undefined && other !== undefined) {
      step.reportProblem(["state"], keyConflict(`'state' and '${other}' cannot both be`, "make two steps of it"));
    }
    const offersTo = args["offers-to"];
    return {
      to: "gateway",
      input: {
        verb: "service",
        of: step.resolveHandsets(of, "of"),
        failsAfter: args["fails-after"],
        poison,
        poisonsNext: args["poisons-next"],
        withholds,
        offersTo: offersTo === undefined ? undefined : step.resolveHandsets(offersTo, "offers-to"),
        doubles,
        offersIncoming: args["offers-incoming"],
        state,
        forMs,
      },
    };
  },
});
