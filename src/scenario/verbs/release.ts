import { keyed } from "../sheet/field.js";
import { claimedAgain, ofHandsets, verb } from "./verb.js";

/** The verb `release`: the service releases channels. */
export const release = verb({
  name: "release",
  about: "The service releases the channels: their queues fail, and the phones register again.",
  example: "{ at: 1h, release: { of: clinic/3, claimed-again: 10m..2h } }",
  args: keyed({ of: ofHandsets, "claimed-again": claimedAgain }),
  toInput: ({ of, "claimed-again": claimed }, step) => ({
    to: "gateway",
    input: { verb: "release", of: step.resolveHandsets(of, "of"), claimedAgain: claimed },
  }),
});
