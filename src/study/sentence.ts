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
  const between =
    knee === undefined
      ? ""
      : `. The knee lies between ${units.number(quantity.round(knee.low))} and ${units.number(quantity.round(knee.high))} (${Math.round(knee.confidence * 100)} % confidence)`;
  return `holds ${units.amount(holds)}${besides === undefined ? "" : ` (${besides})`}${broken}${between}`;
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
