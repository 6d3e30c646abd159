/** A number without sign. */
export const number: string = String.raw`[0-9]+(\.[0-9]+)?`;
/** A duration without sign: at most one number for each unit, larger units first. */
const unsigned = String.raw`(?=[0-9])${["d", "h", "m", "s", "ms"].map((unit) => `(${number}${unit})?`).join("")}`;
/** Patterns of values for the JSON Schema; without anchors. */
export const spelled: Readonly<Record<"duration" | "signedDuration" | "percent" | "anyPercent" | "timestamp", string>> =
  {
    duration: String.raw`\+?${unsigned}`,
    signedDuration: String.raw`[+-]?${unsigned}`,
    percent: String.raw`0*(100(\.0+)?|[0-9]{1,2}(\.[0-9]+)?)%`,
    anyPercent: `${number}%`,
    timestamp: String.raw`[0-9]{4}-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-5][0-9](\.[0-9]{1,6})?Z?`,
  };
/** Anchors a pattern at both ends. */
export const whole = (form: string): string => `^(${form})$`;
/** The anchored pattern of one value, or of a range. */
export const ranged = (form: string): string => String.raw`^(${form})(\.\.(${form}))?$`;
