import { type Trend, trendOf } from "../../measure/index.js";
import { readableDuration } from "../number-format.js";
import type { Finding, FindingFacts } from "./finding.js";
import type { Saturation } from "./saturation.js";

/**
 * Reports a service time that grows. A saturation explains the times during and after itself, so only growth before it
 * is reported, unless that growth is also due to a queue.
 */
export function trendFinding(facts: FindingFacts, saturation: Saturation | undefined): Finding[] {
  const { series, pressure, model } = facts;
  const found =
    saturation === undefined ? facts.trend : trendOf(series, { model, pressure, untilMs: saturation.fromMs });
  if (found === undefined || found === "none") return [];
  if (saturation !== undefined && found.cause !== "requests") return [];
  return [
    {
      kind: "trend",
      weight: "bad",
      text: `${growthText(found, model === "open" ? "service time" : "delivery time")}${causeText(found)}`,
      where: 'report: chart "Delivery time"',
      severity: 1 - found.beginMs / found.endMs,
    },
  ];
}

function growthText({ beginMs, endMs, perThousandMs, perMinuteMs, inAnHourMs, chance }: Trend, name: string): string {
  const rates = [
    ...(perMinuteMs === undefined ? [] : [`by ${readableDuration(perMinuteMs)} a minute`]),
    `by ${readableDuration(perThousandMs)} in 1,000 requests`,
  ];
  const hour = inAnHourMs === undefined ? "" : `; at this rate it is ${readableDuration(inAnHourMs)} in an hour`;
  return (
    `The ${name} grows: ${readableDuration(beginMs)} at the begin, ${readableDuration(endMs)} at the end, ` +
    `${rates.join(" or ")}${hour} (p ${chanceText(chance)}).`
  );
}

function causeText({ cause }: Trend): string {
  if (cause === undefined) return "";
  return cause === "requests"
    ? " It grows with the requests served, whatever is in flight: as with a list or a table that is searched whole."
    : " It grows with the requests in flight: a queue in the receiver.";
}

/** `< 0.0001`, rounded up to a power of ten. */
function chanceText(chance: number): string {
  return `< 1e-${Math.min(9, Math.max(4, Math.floor(-Math.log10(chance))))}`;
}
