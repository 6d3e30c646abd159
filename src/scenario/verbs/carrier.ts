import { count, word } from "../fields/fields.js";
import { keyed, keysOf } from "../sheet/field.js";
import { ofHandsets, toWorld, verb } from "./verb.js";
import { keyConflict } from "../sheet/raw-value.js";

const ways = ["texts", "messages"] as const;

/** The verb `carrier`: the carrier loses or duplicates the next texts to handsets, or the next messages from them. */
export const carrier = verb({
  name: "carrier",
  about: "The carrier loses or duplicates the next texts to the phones, or the next messages from them.",
  example: "{ at: 20m, carrier: { of: clinic/3, loses: texts, times: 2 } }",
  args: keyed({
    of: ofHandsets,
    loses: word(ways, "What is lost: texts of people to the phones, or messages from the phones to people.").optional(),
    duplicates: word(ways, "What arrives twice; the person or the phone has it with another delay.").optional(),
    times: count("How many of them.", { min: 1, max: 1_000_000 }).prefault(1),
  }).meta(keysOf("oneOf", ["loses", "duplicates"])),
  toInput: ({ of, loses, duplicates, times }, step) => {
    const handsets = step.resolveHandsets(of, "of");
    if (loses !== undefined && duplicates !== undefined) {
      step.reportProblem(
        ["duplicates"],
        keyConflict("'loses' and 'duplicates' cannot both be", "make two steps of it"),
      );
    }
    const way = loses ?? duplicates;
    if (way === undefined) {
      step.reportProblem([], { code: "missing-key", message: "needs 'loses' or 'duplicates'", on: "key" });
    }
    const fate = loses === undefined ? "duplicates" : "loses";
    return toWorld({ verb: "carrier", of: handsets, fate, way: way ?? "texts", times });
  },
});
