import { word } from "../fields/fields.js";
import { keyed } from "../sheet/field.js";
import { forTime, ofHandsets, toWorld, verb } from "./verb.js";

/** The verb `doze`: Android's Doze, or a battery saver, holds back the relayer app. */
export const doze = verb({
  name: "doze",
  about: "Doze or a battery saver: polls, reports and retries wait for maintenance windows; pushes come through.",
  example: "{ at: 12h, doze: { of: clinic, for: 8h } }",
  disconnects: true,
  args: keyed({
    of: ofHandsets,
    state: word(["on", "off"], "off: the phone is awake again.").prefault("on"),
    for: forTime,
  }),
  toInput: ({ of, state, for: forMs }, step) =>
    toWorld({ verb: "doze", of: step.resolveHandsets(of, "of"), state, forMs }),
});
