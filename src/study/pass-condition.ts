/**
 * Splits a condition such as `delivery.p99 < 500ms and ledger.gap == 0` into lines of `expect`, without checking them.
 *
 * @returns empty for an empty text
 */
export function passLines(text: string): string[] {
  return text
    .split(/\s+(?:and|&&)\s+/i)
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

/** The durations in a condition in milliseconds, in their order. */
export function boundsMs(lines: readonly string[]): number[] {
  const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
  return lines.flatMap((line) =>
    [...line.matchAll(/[<>=]\s*(\d+(?:\.\d+)?)(ms|s|m|h)\b/g)].map(
      ([, number, unit = ""]) => Number(number) * (unitMs[unit] ?? 0),
    ),
  );
}

/** Whether the condition itself limits the attempts that may fail. */
export function constrainsAttempts(lines: readonly string[]): boolean {
  return lines.some((line) => /^(attempts|failures|statuses|errors|retries|timeouts)\b/.test(line));
}
