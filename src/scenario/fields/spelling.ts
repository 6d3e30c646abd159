/** A number without sign. */
export const number: string = String.raw`[0-9]+(\.[0-9]+)?`;
/** Something of each unit, the larger first. */
const unsigned = String.raw`(?=[0-9])${["d", "h", "m", "s", "ms"].map((unit) => `(${number}${unit})?`).join("")}`;
/** How values are spelled, for patterns of the JSON Schema; without anchors. */
export const spelled: Readonly<Record<"duration" | "signedDuration" | "percent" | "anyPercent" | "timestamp", string>> =
  {
    duration: String.raw`\+?${unsigned}`,
    signedDuration: String.raw`[+-]?${unsigned}`,
    percent: String.raw`0*(100(\.0+)?|[0-9]{1,2}(\.[0-9]+)?)%`,
    anyPercent: `${number}%`,
    timestamp: String.raw`[0-9]{4}-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-5][0-9](\.[0-9]{1,6})?Z?`,
  };
/** The pattern of a whole text. */
export const whole = (form: string): string => `^(${form})$`;
/** One value, or two ends of a range. */
export const ranged = (form: string): string => String.raw`^(${form})(\.\.(${form}))?$`;
