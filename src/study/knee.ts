/** The outcomes of trials at one level. */
export interface Evidence {
  /** Hardness of the level: the logarithm of the load. */
  readonly hardness: number;
  readonly passed: number;
  readonly failed: number;
  /** Trials that failed, perhaps because of this machine: `TrialOutcome.doubt` of each. */
  readonly doubts?: readonly number[];
}

/** Posterior of the knee, where half of the trials pass, on the scale of hardness. */
export interface Knee {
  /** The median. */
  readonly middle: number;
  /** Credible interval: the knee lies in `low..high` with the probability `CONFIDENCE`. */
  readonly low: number;
  readonly high: number;
}

/** A knee in the unit of the value; always `low` < `high`, even if smaller values are harder. */
export interface DescribedKnee {
  readonly value: number;
  readonly low: number;
  readonly high: number;
  readonly confidence: number;
}

/** Prior of the knee from the ramp, on the scale of hardness. */
export interface KneePrior {
  /** A short trial held at `low`, and one failed at `high`. */
  readonly low: number;
  readonly high: number;
  /** The receiver was saturated in the trial that failed, so a knee beyond it is unlikely. */
  readonly isHighSure?: boolean;
  /** The knee estimated from the throughput of a saturated receiver; undefined: never saturated. */
  readonly estimate?: number;
}

/** Probability of the credible interval of a knee. */
export const CONFIDENCE = 0.9;

/** Share of trials assumed to end by accident, so that a single outlier does not move the result. */
const LAPSE_SHARE = 0.02;

/**
 * Scales of the logistic curve (the rise in hardness from a pass rate of 73 % to 50 %) with their prior weights. Queues
 * break within a few per cent; receivers that break gradually are rarer.
 */
const SLOPES: readonly { readonly slope: number; readonly weight: number }[] = [
  { slope: 0.004, weight: 1 },
  { slope: 0.015, weight: 1 },
  { slope: 0.04, weight: 1 },
  { slope: 0.08, weight: 0.8 },
  { slope: 0.15, weight: 0.6 },
  { slope: 0.3, weight: 0.4 },
];

/** The search range extends beyond the tried levels by a factor of two. */
const MARGIN = Math.LN2;

/** Standard deviation of the knee around the estimate, on the scale of hardness: 8 %. */
const ESTIMATE_DEVIATION = 0.08;

/** Prior weight of the estimate; some receivers handle less under overload, so it is not 1. */
const ESTIMATE_WEIGHT = 0.8;

/** Prior weight of a knee outside the range of the short trials, relative to inside. */
const OUTSIDE_WEIGHT = 0.3;
const SURE_OUTSIDE_WEIGHT = 0.1;

/**
 * Estimates the knee by Bayesian logistic regression of the outcomes, with unknown place and slope, on a grid of
 * places. The prior of the place comes from `expected`, that of the slope from `SLOPES`. The posterior stays valid
 * although levels were chosen by earlier outcomes.
 *
 * @param options - `step`: distance of the grid, > 0; `expected`: the prior from the ramp
 */
export function kneeOf(
  evidence: readonly Evidence[],
  { step, expected }: { readonly step: number; readonly expected: KneePrior },
): Knee {
  const levels = evidence.map(({ hardness }) => hardness);
  const first = Math.min(expected.low, ...levels) - MARGIN;
  const last = Math.max(expected.high, ...levels) + MARGIN;
  const places = Array.from({ length: Math.ceil((last - first) / step) + 1 }, (_, index) => first + index * step);
  const likelihoods = places.map((place) =>
    SLOPES.map(({ slope, weight }) => Math.log(weight) + logLikelihood(evidence, place, slope)),
  );
  const most = Math.max(...likelihoods.map((row) => Math.max(...row)));
  const priors = priorsOf(places, expected);
  const weights = likelihoods.map(
    (row, index) => (priors[index] ?? 0) * row.reduce((sum, one) => sum + Math.exp(one - most), 0),
  );
  const tail = (1 - CONFIDENCE) / 2;
  const [low, middle, high] = quantiles(places, weights, step, [tail, 0.5, 1 - tail]) as [number, number, number];
  return { low, middle, high };
}

/** The prior over the grid: uniform between `low` and `high`, less outside, mixed with a normal around the estimate. */
function priorsOf(places: readonly number[], { low, high, isHighSure, estimate }: KneePrior): number[] {
  const beyond = isHighSure === true ? SURE_OUTSIDE_WEIGHT : OUTSIDE_WEIGHT;
  const even = normalized(places.map((place) => (place > high ? beyond : place < low ? OUTSIDE_WEIGHT : 1)));
  if (estimate === undefined) return even;
  const near = normalized(places.map((place) => Math.exp(-(((place - estimate) / ESTIMATE_DEVIATION) ** 2) / 2)));
  return even.map((weight, index) => (1 - ESTIMATE_WEIGHT) * weight + ESTIMATE_WEIGHT * (near[index] ?? 0));
}

function normalized(weights: readonly number[]): number[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => (total === 0 ? 0 : weight / total));
}

function logLikelihood(evidence: readonly Evidence[], place: number, slope: number): number {
  let sum = 0;
  for (const { hardness, passed, failed, doubts = [] } of evidence) {
    const passes = LAPSE_SHARE / 2 + (1 - LAPSE_SHARE) / (1 + Math.exp((hardness - place) / slope));
    if (passed > 0) sum += passed * Math.log(passes);
    if (failed > 0) sum += failed * Math.log(1 - passes);
    for (const doubt of doubts) sum += Math.log(1 - passes * (1 - doubt));
  }
  return sum;
}

/** Quantiles of a distribution whose weights are uniform around their grid places. */
function quantiles(
  places: readonly number[],
  weights: readonly number[],
  step: number,
  shares: readonly number[],
): number[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return shares.map((share) => {
    let upTo = 0;
    const index = weights.findIndex((weight) => (upTo += weight) >= share * total);
    const [place = 0, weight = 1] = [places[index], weights[index]];
    return place + step * (0.5 - (upTo - share * total) / weight);
  });
}
