import { keyed, notTogether } from "../sheet/field.js";
import { peopleChoice } from "../fields/fields.js";
import { span } from "../fields/varying-fields.js";
import { areHandsetsCalling, callEnd, endsAndTalks, endsOfHandsets } from "../parts/call-end.js";
import type { CastKind } from "../cast-names.js";
import { toWorld, verb } from "./verb.js";
import { keyConflict } from "../sheet/raw-value.js";

/** The verb `call`: people call handsets, or handsets call people. */
export const call = verb({
  name: "call",
  about:
    "People call handsets or handsets call people: nobody picks up, or they talk; with neither, 'picks-up' decides.",
  example: "{ at: 1h30m, call: { from: farmers/7, to: clinic/3, rings: 25s } }",
  args: keyed({
    from: peopleChoice("Who dials: people, a phone number, or handsets."),
    to: peopleChoice("Who is called: handsets, people, or a phone number."),
    rings: span("How long it rings; nobody picks up.").optional(),
    talks: span("How long they talk.").optional(),
    ends: callEnd.optional(),
  }).meta({ allOf: [notTogether("rings", "talks"), notTogether("ends", "talks")] }),
  toInput: ({ from, to, rings, talks, ends }, step) => {
    if (rings !== undefined && talks !== undefined) {
      step.reportProblem(
        ["talks"],
        keyConflict("'rings' (nobody picks up) and 'talks' cannot both be", "keep one of the two"),
      );
    }
    if (ends !== undefined && talks !== undefined) step.reportProblem(["ends"], endsAndTalks);
    const kindOf = (side: typeof from): CastKind | undefined => ("phone" in side ? "people" : step.kindOf(side));
    const isFromHandsets = areHandsetsCalling(kindOf(from), kindOf(to));
    const [people, handsets, key] = isFromHandsets ? ([to, from, "to"] as const) : ([from, to, "from"] as const);
    if (ends !== undefined && isFromHandsets) step.reportProblem(["ends"], endsOfHandsets);
    if ("phone" in handsets) {
      step.reportProblem(["to"], {
        code: "bad-selector",
        message: `must be handsets where people call, got the number ${handsets.phone}`,
        hint: "a handset is meant by its group: clinic/3",
      });
      return { to: "log", text: "" };
    }
    return toWorld({
      verb: "call",
      by: isFromHandsets ? "handset" : "person",
      people: isFromHandsets ? step.resolveNumbered(people, key) : step.resolveChoice(people, key),
      handsets: step.resolveHandsets(handsets, isFromHandsets ? "from" : "to"),
      rings,
      talks,
      ends,
    });
  },
});
