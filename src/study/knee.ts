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

/** How sure the interval of a knee is, a share. */
export const CONFIDENCE = 0.9;

/** A trial in fifty is taken to have ended by accident: a single one that does not fit must not move the whole answer. */
const LAPSES = 0.02;

/** How gradual the knee may be: the rise in hardness from where 73 % pass to where half do. From a step to a slope of a third. */
const SLOPES: readonly number[] = [0.004, 0.015, 0.04, 0.08, 0.15, 0.3];

/** How far beyond the levels that did not all end alike the knee is looked for: a factor of two. */
const MARGIN = Math.LN2;

/**
 * Where half of the trials pass, from what trials at several levels came to: a logistic curve of unknown place and slope.
 * All places are as likely beforehand, and all slopes of `SLOPES`; the interval is that of the posterior (Bayes), which
 * is not misled by levels having been chosen by earlier outcomes. Two trials of one level that agree are weaker than
 * six, and the interval says so.
 *
 * @param evidence - with a trial that passed and one that failed
 * @param step - how finely places are told apart, > 0
 */
export function kneeOf(evidence: readonly Evidence[], step: number): Knee {
  const passed = evidence.filter((one) => one.passed > 0).map(({ hardness }) => hardness);
  const failed = evidence.filter((one) => one.failed > 0).map(({ hardness }) => hardness);
  const [easiest, hardest] = [Math.min(...failed), Math.max(...passed)].toSorted((a, b) => a - b) as [number, number];
  const first = easiest - MARGIN;
  const count = Math.ceil((hardest + MARGIN - first) / step) + 1;
  const places = Array.from({ length: count }, (_, index) => first + index * step);
  const likelihoods = places.map((place) => SLOPES.map((slope) => logLikelihood(evidence, place, slope)));
  const most = Math.max(...likelihoods.map((row) => Math.max(...row)));
  const weights = likelihoods.map((row) => row.reduce((sum, one) => sum + Math.exp(one - most), 0));
  const tail = (1 - CONFIDENCE) / 2;
  const [low, middle, high] = quantiles(places, weights, step, [tail, 0.5, 1 - tail]) as [number, number, number];
  return { low, middle, high };
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
