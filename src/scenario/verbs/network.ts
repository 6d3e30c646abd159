import { networkTypes } from "../../world/index.js";
import { flag, share, word } from "../fields/fields.js";
import { span } from "../fields/varying-fields.js";
import { keyed, keysOf } from "../sheet/field.js";
import { forTime, ofHandsets, toWorld, verb } from "./verb.js";

/** The verb `network`: changes the phones' data link. */
export const network = verb({
  name: "network",
  about: "The phones' data link to the service changes; texts and calls still arrive.",
  example: "{ at: 1h, network: { of: clinic/0..19, type: none, for: 40m } }",
  disconnects: true,
  args: keyed({
    of: ofHandsets,
    type: word(networkTypes, "What the link runs over; none: there is no link.").optional(),
    latency: span("How long one way to the service takes.").optional(),
    loses: share(
      "The share of syncs that fail: half of them on the way up, half on the way down; 100%: no request arrives.",
    ).optional(),
    portal: flag("A captive portal answers in place of every server, so nothing gets through.").optional(),
    second: word(
      networkTypes,
      "A second link, used without the first, and when an app that flips finds the first one dead.",
    ).optional(),
    for: forTime,
  }).meta(keysOf("anyOf", ["type", "latency", "loses", "portal", "second"])),
  toInput: ({ of, type, latency, loses, portal, second, for: forMs }, step) => {
    if ([type, latency, loses, portal, second].every((one) => one === undefined)) {
      const message = "needs 'type', 'latency', 'loses', 'portal' or 'second'";
      step.reportProblem([], { code: "missing-key", message, on: "key" });
    }
    const handsets = step.resolveHandsets(of, "of");
    return toWorld({ verb: "network", of: handsets, type, latency, loses, portal, second, forMs });
  },
});
