/** The key of a result: docs/reference/flows.md#result-keys. `Baby's Age ` gives `baby_s_age`. */
export function resultKey(name: string): string {
  return name
    .trim()
    .replace(/[^\p{L}\p{Nd}_]+/gu, "_")
    .toLowerCase();
}
