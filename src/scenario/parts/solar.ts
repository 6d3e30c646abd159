import { percents } from "../fields/varying-fields.js";
import { type Field, keyed, keysOf, notTogether } from "../sheet/field.js";
import { keyConflict } from "../sheet/raw-value.js";
import { decimal } from "./place.js";

/** What `per-hour` means, for the key of a group and the argument of the verb. */
export const perHourAbout = "Percentage points an hour that the panel gives under a sun at the zenith.";
/** The same for `clouds`. */
export const cloudsAbout = "Cover of the sky; one that varies is drawn for each day.";

/** The peak power of a panel, in watts; `perHourOf` converts it. */
export function watts(about: string): Field<number, number | string> {
  return decimal(about, { min: 0.1, max: 1000 });
}

/** The key `solar` of a group of handsets. */
export const solarSchema = keyed({
  "per-hour": percents(`${perHourAbout} _Varies._`).optional(),
  watts: watts("Instead: the panel's peak power.").optional(),
  clouds: percents(`${cloudsAbout} _Varies._`).prefault("0%"),
}).meta({ allOf: [keysOf("anyOf", ["per-hour", "watts"]), notTogether("per-hour", "watts")] });

/**
 * What a panel gives a phone: 70 % of its peak power reach a battery of 8 Wh (assumed: losses of heat, cable and
 * charger; 2,100 mAh at 3.8 V).
 *
 * @returns percentage points an hour under a sun at the zenith, to two decimals
 * @see docs/reference/handset.md#solar-power
 */
export function perHourOf(wattsAtPeak: number): number {
  return Math.round(((wattsAtPeak * 0.7) / 8) * 10_000) / 100;
}

/** The problem of a panel with both `per-hour` and `watts`. */
export const wattsAndPerHour = keyConflict("'per-hour' and 'watts' cannot both be", "keep one of the two");
