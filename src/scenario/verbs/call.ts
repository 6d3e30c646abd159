import { keyed, notTogether } from "../field.js";
import { selection } from "../fields.js";
import { span, type VaryingInput } from "../varying-fields.js";
import { type Verb, verb } from "../verb.js";

/** Arguments of `call`. */
export interface CallArgs {
  readonly from: string;
  readonly to: string;
  readonly rings?: VaryingInput<string> | undefined;
  readonly talks?: VaryingInput<string> | undefined;
}

/** People call handsets, or handsets people. */
export const call: Verb<CallArgs> = verb({
  name: "call",
  about:
    "People call handsets or handsets call people: nobody picks up, or they talk; with neither, 'picks-up' decides.",
  example: "{ at: 1h30m, call: { from: farmers/7, to: clinic/3, rings: 25s } }",
  args: keyed({
    from: selection("Who dials: people, or handsets."),
    to: selection("Who is called: handsets, or people."),
    rings: span("How long it rings; nobody picks up.").optional(),
    talks: span("How long they talk.").optional(),
  }).meta(notTogether("rings", "talks")),
  toInput: ({ from, to, rings, talks }, step) => {
    if (rings !== undefined && talks !== undefined) {
      step.tell(["talks"], {
        code: "not-together",
        message: "'rings' (nobody picks up) and 'talks' cannot both be",
        whole: true,
        on: "key",
        hint: "keep one of the two",
      });
    }
    const by = step.kindOf(from) === "handsets" ? "handset" : "person";
    return {
      to: "world",
      input: {
        verb: "call",
        by,
        people: by === "person" ? step.people(from, "from") : step.people(to, "to"),
        handsets: by === "person" ? step.handsets(to, "to") : step.handsets(from, "from"),
        ...(rings !== undefined && { rings }),
        ...(talks !== undefined && { talks }),
      },
    };
  },
});
