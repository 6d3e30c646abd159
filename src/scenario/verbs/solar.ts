import { percents, leastPercent } from "../fields/varying-fields.js";
import { word } from "../fields/fields.js";
import { cloudsAbout, perHourAbout, perHourOf, watts, wattsAndPerHour } from "../parts/solar.js";
import { keyed, keysOf } from "../sheet/field.js";
import { keyConflict } from "../sheet/raw-value.js";
import { forTime, ofHandsets, toWorld, verb } from "./verb.js";

const powers = ["per-hour", "watts", "state"] as const;

/** The verb `solar`: phones get a panel, or the sky above their panels changes. */
export const solar = verb({
  name: "solar",
  about: "Phones charge from a solar panel by the sun of their place and day, or clouds cover the sky above it.",
  example: "{ at: 1h, solar: { of: clinic, per-hour: 30%, clouds: 20%..90% } }",
  args: keyed({
    of: ofHandsets,
    "per-hour": leastPercent(`${perHourAbout} _Varies._`).optional(),
    watts: watts("Instead: the panel's peak power.").optional(),
    clouds: percents(`${cloudsAbout} _Varies._`).optional(),
    state: word(["off"], "The panel gives nothing: it is broken or gone.").optional(),
    for: forTime,
  }).meta(keysOf("anyOf", [...powers, "clouds"])),
  toInput: (args, step) => {
    const { of, clouds, state, for: forMs } = args;
    const [first, second] = powers.filter((key) => args[key] !== undefined);
    if (first === undefined && clouds === undefined) {
      step.reportProblem([], {
        code: "missing-key",
        message: "needs 'per-hour', 'watts', 'clouds' or 'state: off'",
        on: "key",
      });
    }
    if (second === "watts") step.reportProblem([second], wattsAndPerHour);
    else if (second !== undefined) {
      step.reportProblem([second], keyConflict(`'${first}' and '${second}' cannot both be`, "make two steps of it"));
    }
    const perHour = state === "off" ? 0 : args.watts === undefined ? args["per-hour"] : perHourOf(args.watts);
    return toWorld({
      verb: "solar",
      of: step.resolvePlaced(of, "of"),
      ...(perHour !== undefined && { perHour }),
      ...(clouds !== undefined && { clouds }),
      forMs,
    });
  },
});
