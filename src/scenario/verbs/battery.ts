import { batteryReports } from "../../world/index.js";
import { word } from "../fields/fields.js";
import { keyed, keysOf } from "../sheet/field.js";
import { batteryLevel } from "./varying-arguments.js";
import { forTime, ofHandsets, toWorld, verb } from "./verb.js";

/** The verb `battery`: sets battery levels, and what phones report of their batteries. */
export const battery = verb({
  name: "battery",
  about:
    "The batteries jump to a level, from where they drain or charge on; or the phones do not know their batteries.",
  example: "{ at: 20m, battery: { of: clinic/3, level: 9% } }",
  args: keyed({
    of: ofHandsets,
    level: batteryLevel.optional(),
    reports: word(
      batteryReports,
      "What the phones report: ok; unknown: the status UNK; none: nothing seen yet, so level -1.",
    ).optional(),
    for: forTime,
  }).meta(keysOf("anyOf", ["level", "reports"])),
  toInput: ({ of, level, reports, for: forMs }, step) => {
    if (level === undefined && reports === undefined) {
      step.reportProblem([], { code: "missing-key", message: "needs 'level' or 'reports'", on: "key" });
    }
    if (forMs !== undefined && reports === undefined) {
      step.reportProblem(["for"], {
        code: "missing-key",
        message: "needs 'reports': a level drains or charges on",
        hint: "leave it out",
      });
    }
    return toWorld({ verb: "battery", of: step.resolveHandsets(of, "of"), level, reports, forMs });
  },
});
