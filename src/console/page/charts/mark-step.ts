/** Distances of marks, in seconds. */
const steps = [1, 2, 5, 10, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400];

/** The least distance of marks, in seconds, with which a span has at most `most` parts. */
export function markStepOf(spanS: number, most: number): number {
  return steps.find((each) => spanS / each <= most) ?? Math.ceil(spanS / most / 86_400) * 86_400;
}
