/** How often something happened, with the interval in which its true share lies with 95 % (Wilson 1927). */
export interface Rate {
  readonly times: number;
  readonly of: number;
  /** Shares from 0 to 1. */
  readonly low: number;
  readonly high: number;
}

const Z = 1.96;

/** The rate of `times` of `of`; `of` >= 1. */
export function rateOf(times: number, of: number): Rate {
  const share = times / of;
  const z2 = Z * Z;
  const centre = share + z2 / (2 * of);
  const spread = Z * Math.sqrt((share * (1 - share) + z2 / (4 * of)) / of);
  const by = 1 + z2 / of;
  return { times, of, low: Math.max(0, (centre - spread) / by), high: Math.min(1, (centre + spread) / by) };
}

/**
 * Repeats of a trial after which a failure of this rate would have shown with a probability of 98 %. At least 1, at most 20.
 */
export function repeatsFor({ times, of, low }: Rate): number {
  if (times === of) return 1;
  if (low <= 0) return 20;
  return Math.min(20, Math.max(1, Math.ceil(Math.log(0.02) / Math.log(1 - low))));
}
