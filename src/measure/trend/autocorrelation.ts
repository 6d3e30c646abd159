/** The autocorrelation at lag 1, with the sums that it is computed from. */
export interface Autocorrelation {
  /** Estimate without the bias of a short series, `-(1 + 3 r) / n` (Marriott and Pope 1954); 0 without variance. */
  readonly r: number;
  /** The biased estimate. */
  readonly seen: number;
  /** Sum of the squared deviations from the mean. */
  readonly variance: number;
}

/** Estimates how much neighbouring values of one or more series of equal length depend on each other. */
export function autocorrelationOf(...series: readonly (readonly number[])[]): Autocorrelation {
  const length = series[0]?.length ?? 0;
  let [variance, lagged] = [0, 0];
  for (const values of series) {
    const mean = values.reduce((sum, value) => sum + value, 0) / length;
    values.forEach((value, at) => {
      variance += (value - mean) ** 2;
      if (at > 0) lagged += (value - mean) * ((values[at - 1] ?? 0) - mean);
    });
  }
  if (variance === 0) return { r: 0, seen: 0, variance };
  const seen = lagged / variance;
  return { r: seen + (1 + 3 * seen) / length, seen, variance };
}
