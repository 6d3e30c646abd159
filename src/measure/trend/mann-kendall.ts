import { medianOf } from "../bucket-ranges.js";
import { autocorrelationOf } from "./autocorrelation.js";

/** Upper bound of the autocorrelation: a greater estimate would hide every trend. */
const RHO_MAX = 0.9;

/** A point of a series that is tested for a trend. */
export interface TrendPoint {
  readonly x: number;
  readonly y: number;
}

/** What a Mann-Kendall test says of a series. */
export interface TrendTest {
  /** Kendall's tau over the compared pairs: 1 if every later value is greater, 0 without a trend, -1 if each is less. */
  readonly tau: number;
  /** The chance of such a tau, or a greater one, without a trend. */
  readonly chance: number;
  /** Theil-Sen slope: the median of the slopes of the compared pairs. */
  readonly slope: number;
  readonly pairs: number;
}

/**
 * Tests whether a series rises (Mann-Kendall), and estimates the slope (Theil-Sen): both use pairs of points only, so
 * that outliers have little weight and no distribution is assumed.
 *
 * Neighbouring values that depend on each other, as in slow phases, make a series look like a trend. The variance of
 * the test is widened by the autocorrelation of what remains without the trend, `(1 + r) / (1 - r)`.
 *
 * @param points - in the order of x
 * @param areComparable - whether two points may be compared, by their indexes
 * @returns undefined: no pair can be compared
 * @see Mann 1945, Kendall 1975; Sen 1968; the widening as in `report/compare/autocorrelation.ts`
 */
export function testTrend(
  points: readonly TrendPoint[],
  areComparable: (earlier: number, later: number) => boolean = () => true,
): TrendTest | undefined {
  const slopes: number[] = [];
  let [signs, ties] = [0, 0];
  points.forEach((one, earlier) => {
    for (let later = earlier + 1; later < points.length; later++) {
      const other = points[later];
      if (other === undefined || other.x === one.x || !areComparable(earlier, later)) continue;
      slopes.push((other.y - one.y) / (other.x - one.x));
      if (other.y === one.y) ties++;
      signs += Math.sign(other.y - one.y);
    }
  });
  if (slopes.length === 0) return undefined;
  const slope = medianOf(slopes) ?? 0;
  const count = points.length;
  // The variance for all pairs, in proportion to the pairs that were compared.
  const share = slopes.length / ((count * (count - 1)) / 2);
  const r = Math.min(RHO_MAX, Math.max(0, autocorrelationOf(residualsOf(points)).r));
  const variance = (share * (count * (count - 1) * (2 * count + 5)) * ((1 + r) / (1 - r))) / 18;
  const z = Math.max(0, signs - 1) / Math.sqrt(variance);
  return {
    tau: signs / Math.max(1, slopes.length - ties),
    chance: upperTail(z),
    slope,
    pairs: slopes.length,
  };
}

/**
 * What remains of the values without the rising curve that fits them best (isotonic regression: pool adjacent
 * violators). It assumes no shape of the growth.
 */
function residualsOf(points: readonly TrendPoint[]): number[] {
  const pools: { sum: number; count: number }[] = [];
  for (const { y } of points) {
    pools.push({ sum: y, count: 1 });
    for (let last = pools.at(-1), before = pools.at(-2); last !== undefined && before !== undefined;) {
      if (before.sum / before.count < last.sum / last.count) break;
      before.sum += last.sum;
      before.count += last.count;
      pools.pop();
      [last, before] = [pools.at(-1), pools.at(-2)];
    }
  }
  const fitted = pools.flatMap(({ sum, count }) => Array.from({ length: count }, () => sum / count));
  return points.map(({ y }, index) => y - (fitted[index] ?? 0));
}

/** The chance that a standard normal variable exceeds z >= 0 (Abramowitz and Stegun 26.2.17; error below 1e-7). */
function upperTail(z: number): number {
  const t = 1 / (1 + 0.2316419 * z);
  const sum = t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * sum;
}
