import type { Capacity } from "./capacity.js";
import type { FieldUnits } from "./field-units.js";
import type { Quantity } from "./quantity.js";
import type { Trial } from "./trial.js";

/** What a search has found, in one sentence and in the units of the field. */
export function capacitySentence(
  capacity: Capacity,
  about: { readonly units: FieldUnits; readonly quantity: Quantity; readonly trials: readonly Trial[] },
): string {
  const { kind, holds, breaks, knee, generatorLimit, limitedBy } = capacity;
  const { units, quantity, trials } = about;
  const why = (value: number, verdict: Trial["verdict"]): string => {
    const [reason] = trials.findLast((trial) => trial.value === value && trial.verdict === verdict)?.reasons ?? [];
    return reason === undefined ? "" : `: ${reason}`;
  };
  if (kind === "unknown") {
    return generatorLimit === undefined
      ? `nothing is known of the limit: ${endedEarly(capacity, about)}`
      : `nothing was found out: this machine cannot generate ${units.amount(generatorLimit)}${why(generatorLimit, "void")}`;
  }
  if (kind === "knee" && holds === undefined && knee !== undefined) {
    const shown = kneeText(knee, { units, quantity });
    return `no trial passed or all were void, so that this is an estimate from the ramp. ${shown}`;
  }
  if (holds === undefined || kind === "below") {
    return `does not hold ${units.amount(breaks ?? quantity.value)}${why(breaks ?? quantity.value, "failed")}`;
  }
  if (kind === "at-least") {
    const limits: Record<NonNullable<Capacity["limitedBy"]>, string> = {
      bound: "more was not asked for",
      generator: `this machine cannot generate more${generatorLimit === undefined ? "" : why(generatorLimit, "void")}`,
      time: "the time was up before it broke",
      stopped: "it was stopped before it broke",
      receiver: "then the receiver was gone",
      trials: "the trials were used up before it broke",
      scenario: "the scenario cannot ask for more",
    };
    return `holds at least ${units.amount(holds)}; ${limits[limitedBy ?? "time"]}`;
  }
  const besides = units.besides(holds);
  const broken = breaks === undefined ? "" : `; breaks at ${units.amount(breaks)}${why(breaks, "failed")}`;
  const between = knee === undefined ? "" : `. ${kneeText(knee, { units, quantity })}`;
  if (capacity.isProvisional === true) return `short trials alone: holds ${units.amount(holds)}${broken}${between}`;
  return `holds ${units.amount(holds)}${besides === undefined ? "" : ` (${besides})`}${broken}${between}`;
}

/** The knee and its interval, with as many digits as the width of the interval allows. */
function kneeText(
  { value, low, high, confidence }: NonNullable<Capacity["knee"]>,
  { units, quantity }: { readonly units: FieldUnits; readonly quantity: Quantity },
): string {
  const unit = stepBelow((high - low) / 4);
  const shown = (one: number): string => units.number(quantity.round(unit === 0 ? one : Math.round(one / unit) * unit));
  return `The limit is about ${shown(value)}, between ${shown(low)} and ${shown(high)} (${Math.round(confidence * 100)} % confidence)`;
}

/** The largest of 1, 2 and 5 times a power of ten that is not above a size. */
function stepBelow(size: number): number {
  if (size <= 0) return 0;
  const power = 10 ** Math.floor(Math.log10(size));
  return power * (size >= 5 * power ? 5 : size >= 2 * power ? 2 : 1);
}

/** Why no trial has counted, and what was done up to there. */
function endedEarly(
  { limitedBy }: Capacity,
  { units, trials }: { readonly units: FieldUnits; readonly trials: readonly Trial[] },
): string {
  const [last] = trials.slice(-1);
  const where =
    last === undefined
      ? "during warm-up, before the first trial"
      : `in trial ${trials.length}, at ${units.amount(last.value)}, before a trial had ended`;
  if (limitedBy === "time") return `the time was up ${where}`;
  return limitedBy === "receiver" ? `the receiver was gone ${where}` : `the search was stopped ${where}`;
}
