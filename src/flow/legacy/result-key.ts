/**
 * Key of the result with a label, as legacy templates name it: lower case, runs of characters other than a to z and 0 to
 * 9 as `_` (docs/reference/flows.md#legacy-shape).
 */
export function legacyResultKey(label: string): string {
  return label.toLowerCase().replaceAll(/[^a-z0-9]+/g, "_");
}
