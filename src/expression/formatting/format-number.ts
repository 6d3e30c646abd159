import type { NumberFormat } from "../environment.js";
import { type Decimal, decimalText } from "../values/decimal.js";

/**
 * A number for people.
 *
 * @param options - `places`: decimal places, undefined: as many as it has; `isGrouped`: thousands are separated
 */
export function formatNumber(
  number: Decimal,
  { decimal, grouping }: NumberFormat,
  { places, isGrouped }: { readonly places?: number | undefined; readonly isGrouped: boolean },
): string {
  const rounded = places === undefined ? number : number.toDecimalPlaces(places);
  const text = places === undefined || rounded.isZero() ? decimalText(rounded) : rounded.toFixed(places);
  const [, sign = "", whole = "", fraction = ""] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  const groups = isGrouped ? whole.replace(/\B(?=(\d{3})+$)/g, () => grouping) : whole;
  const places0 = fraction.padEnd(places ?? 0, "0");
  return sign + groups + (places0 === "" ? "" : decimal + places0);
}
