import type { Fakes } from "./fake.js";
import type { Stream } from "./stream.js";

/**
 * A value that may vary, as plain data. Durations are in milliseconds, shares 0..1.
 *
 * `mean` and `deviation` describe the value itself, for `lognormal` too. A negative draw of `normal` becomes 0, because
 * no duration and no rate is negative.
 */
export type Distribution<T> =
  | { readonly kind: "fixed"; readonly value: T }
  | { readonly kind: "uniform"; readonly min: number; readonly max: number; readonly whole: boolean }
  | { readonly kind: "exp"; readonly mean: number }
  | { readonly kind: "normal"; readonly mean: number; readonly deviation: number }
  | { readonly kind: "lognormal"; readonly mean: number; readonly deviation: number }
  | { readonly kind: "pick"; readonly of: readonly Distribution<T>[] }
  | { readonly kind: "weighted"; readonly of: readonly { readonly weight: number; readonly value: Distribution<T> }[] }
  | { readonly kind: "fake"; readonly path: string; readonly locale: string };

/** A distribution with one value. */
export function fixed<T>(value: T): Distribution<T> {
  return { kind: "fixed", value };
}

/**
 * Draws one value. A fixed value takes no random number from the stream.
 *
 * @param fakes - the faker instances for `fake`; prepared before the run, see `prepareFakes`
 * @throws Error when a `fake` names a locale that was not prepared
 */
export function sample<T>(distribution: Distribution<T>, stream: Stream, fakes?: Fakes): T {
  switch (distribution.kind) {
    case "fixed":
      return distribution.value;
    case "uniform":
      return (
        distribution.whole
          ? stream.int(distribution.min, distribution.max)
          : distribution.min + stream.fine() * (distribution.max - distribution.min)
      ) as T;
    case "exp":
      return stream.exponential(distribution.mean) as T;
    case "normal":
      return Math.max(0, stream.normal(distribution.mean, distribution.deviation)) as T;
    case "lognormal":
      return stream.lognormal(distribution.mean, distribution.deviation) as T;
    case "pick":
      return sample(stream.pick(distribution.of), stream, fakes);
    case "weighted":
      return sample(drawWeighted(distribution.of, stream), stream, fakes);
    case "fake":
      if (fakes === undefined) throw new Error(`no fakes were prepared for ${distribution.path}`);
      return fakes.draw(distribution.path, distribution.locale, stream) as T;
  }
}

/** Draws a duration or count: as `sample`, rounded to a whole number >= 0. */
export function sampleWhole(distribution: Distribution<number>, stream: Stream): number {
  return Math.max(0, Math.round(sample(distribution, stream)));
}

/** Like `sample`, but a normal distribution is not cut at 0. For the error of a clock, which may be negative. */
export function sampleSigned(distribution: Distribution<number>, stream: Stream): number {
  return distribution.kind === "normal"
    ? stream.normal(distribution.mean, distribution.deviation)
    : sample(distribution, stream);
}

/** The smallest value that a numeric distribution can draw, for checks before a run. */
export function lowerBound(distribution: Distribution<number>): number {
  switch (distribution.kind) {
    case "fixed":
      return distribution.value;
    case "uniform":
      return distribution.min;
    case "pick":
      return Math.min(...distribution.of.map(lowerBound));
    case "weighted":
      return Math.min(...distribution.of.map((one) => lowerBound(one.value)));
    case "exp":
    case "normal":
    case "lognormal":
    case "fake":
      return 0;
  }
}

/** The largest value that a numeric distribution can draw; Infinity for one without an upper bound. */
export function upperBound(distribution: Distribution<number>): number {
  switch (distribution.kind) {
    case "fixed":
      return distribution.value;
    case "uniform":
      return distribution.max;
    case "pick":
      return Math.max(...distribution.of.map(upperBound));
    case "weighted":
      return Math.max(...distribution.of.map((one) => upperBound(one.value)));
    case "exp":
    case "normal":
    case "lognormal":
    case "fake":
      return Infinity;
  }
}

function drawWeighted<T>(
  choices: readonly { readonly weight: number; readonly value: Distribution<T> }[],
  stream: Stream,
): Distribution<T> {
  const total = choices.reduce((sum, choice) => sum + choice.weight, 0);
  let remaining = stream.fine() * total;
  for (const choice of choices) {
    remaining -= choice.weight;
    if (remaining < 0) return choice.value;
  }
  const last = choices.at(-1);
  if (last === undefined) throw new RangeError("a weighted choice needs at least one value");
  return last.value;
}
