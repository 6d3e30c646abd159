import { word } from "../fields/fields.js";
import { keyed } from "../sheet/field.js";
import { forTime, ofHandsets, toWorld, verb } from "./verb.js";

/** The verb `pause`: pauses the relayer app, or ends the pause. */
export const pause = verb({
  name: "pause",
  about: "The relayer app is paused: it does not sync, send or relay.",
  example: "{ at: 1h, pause: { of: clinic/3, for: 30m } }",
  disconnects: true,
  args: keyed({
    of: ofHandsets,
    state: word(["on", "off"], "off: the pause ends, and the phone syncs.").prefault("on"),
    for: forTime,
  }),
  toInput: ({ of, state, for: forMs }, step) =>
    toWorld({ verb: "pause", of: step.resolveHandsets(of, "of"), state, forMs }),
});
