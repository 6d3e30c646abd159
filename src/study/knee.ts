/** What trials at one level came to. */
export interface Evidence {
  /** How hard the level is, on a scale on which more is harder: the logarithm of a load. */
  readonly hardness: number;
  readonly passed: number;
  readonly failed: number;
}

/** Where trials begin to fail, on the scale of hardness. */
export interface Knee {
  /** As likely below as above. */
  readonly middle: number;
  /** The knee lies in `low..high` with the probability `CONFIDENCE`. */
  readonly low: number;
  readonly high: number;
}

/** A knee in the unit of the value: `low` < `high`, whichever is the harder. */
export interface DescribedKnee {
  readonly value: number;
  readonly low: number;
  readonly high: number;
  readonly confidence: number;
}

/** What is known of a knee before the trials that count, on the scale of hardness. */
export interface Expected {
  /** Short trials held here, and failed there. */
  readonly low: number;
  readonly high: number;
  /** Where the throughput of a saturated receiver puts the knee; undefined: it was never saturated. */
  readonly estimate?: number;
}

/** How sure the interval of a knee is, a share. */
export const CONFIDENCE = 0.9;

/** A trial in fifty is taken to have ended by accident: a single one that does not fit must not move the whole answer. */
const LAPSES = 0.02;

/**
 * How gradual the knee may be: the rise in hardness from where 73 % pass to where half do, from a step to a slope of a third; and
 * how likely that is beforehand. Queues break within a few per cent; gradual receivers are rarer.
 */
const SLOPES: readonly { readonly slope: number; readonly weight: number }[] = [
  { slope: 0.004, weight: 1 },
  { slope: 0.015, weight: 1 },
  { slope: 0.04, weight: 1 },
  { slope: 0.08, weight: 0.8 },
  { slope: 0.15, weight: 0.6 },
  { slope: 0.3, weight: 0.4 },
];

/** How far beyond the levels that did not all end alike the knee is looked for: a factor of two. */
const MARGIN = Math.LN2;

/** Standard deviation of the knee about the estimate, on the scale of hardness: 8 %. */
const SPREAD = 0.08;

/** How far an estimate is trusted: some receivers handle less under overload, and then the trials decide. */
const TRUST = 0.8;

/** A knee outside of what short trials showed is less likely by this factor. */
const OUTSIDE = 0.3;

/**
 * Where half of the trials pass, from what trials at several levels came to: a logistic curve of unknown place and slope.
 * Places are as likely beforehand as `expected` says, slopes as in `SLOPES`; the interval is that of the posterior
 * (Bayes), which is not misled by levels having been chosen by earlier outcomes. Two trials of one level that agree are
 * weaker than six, and the interval says so.
 *
 * @param options - `step`: how finely places are told apart, > 0; `expected`: what short trials showed
 */
export function kneeOf(
  evidence: readonly Evidence[],
  { step, expected }: { readonly step: number; readonly expected: Expected },
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

/** Even between what held and what failed, less beside it, and most about the estimate. */
function priorsOf(places: readonly number[], { low, high, estimate }: Expected): number[] {
  const even = scaled(places.map((place) => (place >= low && place <= high ? 1 : OUTSIDE)));
  if (estimate === undefined) return even;
  const near = scaled(places.map((place) => Math.exp(-(((place - estimate) / SPREAD) ** 2) / 2)));
  return even.map((weight, index) => (1 - TRUST) * weight + TRUST * (near[index] ?? 0));
}

function scaled(weights: readonly number[]): number[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => (total === 0 ? 0 : weight / total));
}

function logLikelihood(evidence: readonly Evidence[], place: number, slope: number): number {
  let sum = 0;
  for (const { hardness, passed, failed } of evidence) {
    const passes = LAPSES / 2 + (1 - LAPSES) / (1 + Math.exp((hardness - place) / slope));
    if (passed > 0) sum += passed * Math.log(passes);
    if (failed > 0) sum += failed * Math.log(1 - passes);
  }
  return sum;
}

/** A weight lies evenly around its place. */
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
