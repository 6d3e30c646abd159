import type { Capacity } from "./capacity.js";
import type { ConnectionCeiling } from "./connection-limit.js";
import type { FieldUnits } from "./field-units.js";
import { ms } from "./judgement.js";
import type { Quantity } from "./quantity.js";
import type { Trial } from "./trial.js";

interface SentenceContext {
  readonly units: FieldUnits;
  readonly quantity: Quantity;
  readonly trials: readonly Trial[];
  /** The limit of our connections, if that limits the result. */
  readonly ceiling?: ConnectionCeiling;
}

/** The result of a search in one sentence, in units of the field. */
export function capacitySentence(capacity: Capacity, about: SentenceContext): string {
  const { kind, holds, breaks, knee, generatorLimit, limitedBy } = capacity;
  const { units, quantity, trials, ceiling } = about;
  const why = (value: number, verdict: Trial["verdict"]): string => {
    const [reason] = trials.findLast((trial) => trial.value === value && trial.verdict === verdict)?.reasons ?? [];
    return reason === undefined ? "" : `: ${reason}`;
  };
  if (kind === "unknown") {
    return generatorLimit === undefined
      ? `the limit is unknown: ${endedEarly(capacity, about)}`
      : `the limit is unknown: this machine cannot generate ${units.amount(generatorLimit)}${why(generatorLimit, "void")}`;
  }
  if (kind === "knee" && holds === undefined && knee !== undefined) {
    const shown = kneeText(knee, about);
    return `no trial passed, or all were void: this is an estimate from the ramp. ${shown}`;
  }
  if (ceiling !== undefined && kind === "below")
    return `cannot take ${units.amount(breaks ?? quantity.value)}: ${crowdedText(ceiling)}`;
  if (holds === undefined || kind === "below") {
    return `cannot take ${units.amount(breaks ?? quantity.value)}${why(breaks ?? quantity.value, "failed")}`;
  }
  if (kind === "at-least") {
    const limits: Record<NonNullable<Capacity["limitedBy"]>, string> = {
      bound: "that was the highest value to try",
      generator: `this machine cannot generate more${generatorLimit === undefined ? "" : why(generatorLimit, "void")}`,
      connections: "our connections are the limit",
      busy: "this machine was too busy to judge more",
      time: "the time limit was reached before it broke",
      stopped: "it was stopped before it broke",
      receiver: "then the receiver died",
      trials: "the maximum of trials was reached before it broke",
      scenario: "the scenario has no harder value",
      load: `at a higher rate the phones still report at most ${mostDue(trials)} requests/s: add handsets`,
    };
    const least = `takes at least ${units.amount(holds)}; ${limits[limitedBy ?? "time"]}`;
    return capacity.isProvisional === true ? `short trials alone: ${least}` : least;
  }
  const besides = units.besides(holds);
  const amount = `${units.amount(holds)}${besides === undefined ? "" : ` (${besides})`}`;
  const held =
    capacity.isProvisional === true
      ? `short trials alone: takes ${units.amount(holds)}`
      : `takes ${amount}${inTrialsOf(trials)}`;
  const shown = knee === undefined ? "" : `. ${kneeText(knee, about)}`;
  const limit = breaks ?? (ceiling === undefined ? undefined : knee?.value);
  const reason = (value: number): string =>
    ceiling === undefined ? why(value, "failed") : `: ${crowdedText(ceiling)}`;
  const broken = limit === undefined ? "" : `; breaks at ${units.amount(limit)}${reason(limit)}`;
  return `${held}${broken}${shown}${collapseText(capacity, about)}`;
}

/** That our connections are the limit, and what to do about it. */
function crowdedText({ connections, serviceMs, toTry }: ConnectionCeiling): string {
  const number = connections === 1 ? "our only connection is" : `our ${connections} connections are`;
  return `${number} the limit, not the receiver (it answers in ${ms(serviceMs)}, as at low load): try --connections ${toTry}`;
}

/** What the receiver handles under overload, if that is much less than its limit. */
function collapseText({ collapsesTo, limitedBy }: Capacity, about: SentenceContext): string {
  if (collapsesTo === undefined || limitedBy === "connections") return "";
  const { units, quantity } = about;
  const value = quantity.round(Number(collapsesTo.toPrecision(2)));
  return `. Beyond it the receiver collapses to about ${units.number(value)}${requestsText(value, value / 10, about)}`;
}

function mostDue(trials: readonly Trial[]): string {
  return Math.round(Math.max(...trials.map(({ attemptsPerSecond }) => attemptsPerSecond))).toLocaleString("en-US");
}

/** The mean length of trials that count: a longer one may break earlier. */
function inTrialsOf(trials: readonly Trial[]): string {
  const spans = trials.filter(countsAsTrial).map(({ wallMs }) => wallMs / 1000);
  return spans.length === 0 ? "" : ` in trials of ${Math.round(mean(spans))} s`;
}

function countsAsTrial({ phase, verdict }: Trial): boolean {
  return phase === "trial" && verdict !== "void";
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The knee and its interval, with the digits that the width of the interval justifies. */
function kneeText(
  { value, low, high, confidence }: NonNullable<Capacity["knee"]>,
  { units, quantity, trials, ceiling }: SentenceContext,
): string {
  const digits = Math.min(high - value, value - low) / 2;
  const shown = (one: number): string => units.number(quantity.round(rounded(one, digits)));
  const requests = requestsText(value, digits, { quantity, trials });
  const whose = ceiling === undefined ? "The" : "Their";
  return `${whose} limit is about ${shown(value)}${requests}, between ${shown(low)} and ${shown(high)} (${Math.round(confidence * 100)} % confidence)`;
}

/** A rate also in requests per wall second, with a precision in units of the value. */
function requestsText(
  value: number,
  precision: number,
  { quantity, trials }: Pick<SentenceContext, "quantity" | "trials">,
): string {
  const perValue = quantity.kind === "rate" ? requestsPerValue(trials) : undefined;
  if (perValue === undefined) return "";
  return ` (${rounded(value * perValue, precision * perValue).toLocaleString("en-US")} requests/s)`;
}

/** Requests due per wall second for each unit of the value. Undefined: no trial counted. */
function requestsPerValue(trials: readonly Trial[]): number | undefined {
  const ratios = trials.filter(countsAsTrial).map(({ attemptsPerSecond, value }) => attemptsPerSecond / value);
  return ratios.length === 0 ? undefined : mean(ratios);
}

/** Rounds a number to a precision. */
function rounded(value: number, precision: number): number {
  const step = stepBelow(precision);
  return step === 0 ? value : Number((Math.round(value / step) * step).toPrecision(12));
}

/** The largest of 1, 2 and 5 times a power of ten up to a size. */
function stepBelow(size: number): number {
  if (size <= 0) return 0;
  const power = 10 ** Math.floor(Math.log10(size));
  return power * (size >= 5 * power ? 5 : size >= 2 * power ? 2 : 1);
}

/** Why no trial counted, and when the search ended. */
function endedEarly(
  { limitedBy }: Capacity,
  { units, trials }: { readonly units: FieldUnits; readonly trials: readonly Trial[] },
): string {
  const isBusy = trials.length > 0 && trials.every(({ verdict }) => verdict === "void");
  if (isBusy && trials.some(({ busySeconds = 0 }) => busySeconds > 0)) {
    return "other programs kept this machine so busy that no trial could be judged";
  }
  const [last] = trials.slice(-1);
  const where =
    last === undefined
      ? "before the first trial"
      : `in trial ${trials.length}, at ${units.amount(last.value)}, before a trial had ended`;
  if (limitedBy === "time") return `the time was up ${where}`;
  return limitedBy === "receiver" ? `the receiver was gone ${where}` : `the search was stopped ${where}`;
}
