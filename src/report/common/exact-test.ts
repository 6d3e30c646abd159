/** How often a trait occurs in two groups. */
export interface TwoGroups {
  /** Members of the first group with the trait, and all its members. */
  readonly with: number;
  readonly of: number;
  /** The same of the second group. */
  readonly othersWith: number;
  readonly others: number;
}

/**
 * The probability that chance puts at least this number of the trait's bearers into the first group: Fisher's exact test, one
 * side.
 */
export function chanceOf({ with: held, of, othersWith, others }: TwoGroups): number {
  const bearers = held + othersWith;
  const all = of + others;
  const most = Math.min(of, bearers);
  const base = logChoose(all, of);
  let sum = 0;
  for (let count = held; count <= most; count++) {
    const term = Math.exp(logChoose(bearers, count) + logChoose(all - bearers, of - count) - base);
    sum += term;
    // Behind the expected number the terms fall faster than geometrically.
    if (term < sum * 1e-12) break;
  }
  return Math.min(1, sum);
}

/** Natural logarithm of the number of ways to choose `k` of `n`. */
function logChoose(n: number, k: number): number {
  return k < 0 || k > n ? -Infinity : logFactorial(n) - logFactorial(k) - logFactorial(n - k);
}

const small: number[] = [0];

/** Exact sums up to 1,000, then Stirling's series, whose error is below 1e-12 there. */
function logFactorial(n: number): number {
  if (n > 1000) {
    return n * Math.log(n) - n + 0.5 * Math.log(2 * Math.PI * n) + 1 / (12 * n) - 1 / (360 * n ** 3);
  }
  for (let next = small.length; next <= n; next++) small.push((small[next - 1] ?? 0) + Math.log(next));
  return small[n] ?? 0;
}
