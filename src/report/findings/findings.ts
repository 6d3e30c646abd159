import { withoutPressure } from "../../measure/index.js";
import type { AffectedKind } from "../common/index.js";
import { countOf, formatCount, readableDuration } from "../number-format.js";
import { failureFindings } from "./failures.js";
import { type CommonOf, type Finding, type FindingFacts, type FindingKind, placeOf } from "./finding.js";
import { hostFinding } from "./host.js";
import { isTooBusy } from "./host-measures.js";
import { ignoredReplyFindings } from "./ignored-replies.js";
import { LATE_FROM_PHONE, lateFindings } from "./late.js";
import { scheduleFinding } from "./schedule.js";
import { type Saturation, saturationOf } from "./saturation.js";
import { slowPeriodsOf } from "./slow-periods.js";
import { outageFindings } from "./outages.js";
import { stallsOf, type Standstill, standstillsOf } from "./standstills.js";
import { doublingText, troubleFindings } from "./troubles.js";
import { trendFinding } from "./trend-finding.js";
import { clockText, formatShare, rateText, timeRangeText } from "./phrases.js";

/** Least length of a single standstill that is a finding; each other task that wants a core adds as much again. */
const SILENCE_MS = 500;
/** Concurrency alone reorders some events, so a smaller share of all attempts, or a smaller count, is no finding. */
const RACED_SHARE = 0.005;
const RACED_LEAST = 5;
/** Where the report shows a saturation. */
const SATURATION_CHART = 'report: chart "Waiting for the receiver"';

/** The findings of a run, worst first. A run without a fault has none. */
export function findingsOf(facts: FindingFacts): Finding[] {
  const { series, pressure, model } = facts;
  const saturation = model === "open" ? saturationOf(series, pressure) : undefined;
  const still = standstillFindings(facts, saturation);
  const isStalling = still.some(({ kind }) => kind === "stalls");
  const trend = trendFinding(facts, saturation);
  const all = [
    saturation === undefined ? unjudgedSaturation(facts) : [saturationFinding(saturation, facts)],
    still,
    trend,
    // A trend explains slow answers near the end.
    saturation === undefined && !isStalling && trend.length === 0 ? slowFindings(facts) : [],
    // A saturated receiver that answers too late has not stopped answering.
    outageFindings(facts).filter(({ kind }) => saturation === undefined || kind !== "unanswered"),
    failureFindings(facts),
    troubleFindings(facts),
    doubleFindings(facts),
    ignoredReplyFindings(facts),
    withoutEffectFindings(facts),
    orderFindings(facts),
    scheduleFinding(facts),
    hostFinding(facts.host),
  ].flat();
  all.push(...lateFindings(facts, all));
  const found = attributeToStory(all, facts.receiverSteps).map(withCommon(facts.commonOf));
  return found.toSorted((a, b) => placeOf(a) - placeOf(b) || b.severity - a.severity);
}

function saturationFinding(found: Saturation, { beginsMs, attempts, series }: FindingFacts): Finding {
  const { answeredPerS, duePerS, isToEnd, isPoolBusy, isPoolLimit, isOwn, serviceMs, idleServiceMs } = found;
  const when = saturationTime(found, beginsMs);
  const queue = isPoolBusy ? found.waiting : found.waiting + found.inFlight;
  const end = found.isCutOff ? "when the run was stopped" : isToEnd ? "at the end" : "at its end";
  const drain = `${found.isCutOff ? "about " : ""}${readableDuration(found.drainMs)} to drain`;
  const waited = `${countOf(queue, "event")} waited ${end}, ${drain}`;
  const service = serviceMs === undefined ? "" : readableDuration(serviceMs);
  const busy = `all ${formatCount(found.inFlight)} connections were busy`;
  const severity = saturationSeverity(found);
  const common = { kind: "saturation", where: SATURATION_CHART, severity } as const;
  if (isOwn) {
    const cause = `the lab itself was late by up to ${readableDuration(Math.max(0, ...series.latenessMaxMs))}`;
    return { ...common, weight: "note", text: excusedText(found, when, cause) };
  }
  if (isPoolLimit) {
    const text =
      `${busy[0]?.toUpperCase()}${busy.slice(1)} ${when}; at a service time of ${service}, with or without load, they ` +
      `carried ${rateText(answeredPerS)} of the ${rateText(duePerS)} due; ${waited}; more connections may carry more.`;
    return { ...common, weight: "bad", text, where: "handset run --connections N, or connections: in the scenario" };
  }
  const before = idleServiceMs === undefined ? "" : `, ${readableDuration(idleServiceMs)} at low load`;
  const pool = isPoolBusy && service !== "" ? `; ${busy}, service time ${service}${before}` : "";
  const text = `The receiver answered ${rateText(answeredPerS)} of the ${rateText(duePerS)} due ${when}; ${waited}${pool}.`;
  return { ...common, weight: "bad", text, ...(attempts === 0 && { severity: 0 }) };
}

/** A note instead of a saturation if this machine was too busy to judge the receiver's speed. */
function unjudgedSaturation({ series, host, beginsMs, model }: FindingFacts): Finding[] {
  if (model !== "open" || !isTooBusy(host)) return [];
  const found = saturationOf(series, withoutPressure(series));
  if (found === undefined) return [];
  const text = excusedText(found, saturationTime(found, beginsMs), "this machine was busy");
  const severity = saturationSeverity(found);
  return [{ kind: "saturation", weight: "note", text, where: SATURATION_CHART, severity }];
}

function saturationTime({ fromMs, untilMs, isToEnd }: Saturation, beginsMs: number): string {
  const from = clockText(fromMs - beginsMs);
  return isToEnd ? `from ${from} on` : `from ${from} to ${clockText(untilMs - beginsMs)}`;
}

function saturationSeverity({ answeredPerS, duePerS }: Saturation): number {
  return Math.min(1, 1 - answeredPerS / duePerS);
}

/**
 * The text of a saturation for which the receiver may not be to blame.
 *
 * @param when - `from 0:00:05 on`; `cause`: another possible cause, as a clause: `this machine was busy`
 */
function excusedText({ answeredPerS, duePerS }: Saturation, when: string, cause: string): string {
  return `${rateText(answeredPerS)} of the ${rateText(duePerS)} due were answered ${when}; ${cause} and may be the cause.`;
}

function standstillFindings(facts: FindingFacts, saturation: Saturation | undefined): Finding[] {
  const { series, pressure, beginsMs, model } = facts;
  if (model === "lockstep") return [];
  const isApart = ({ atMs }: Standstill): boolean =>
    saturation === undefined || atMs < saturation.fromMs || atMs >= saturation.untilMs + saturation.drainMs;
  const all = standstillsOf(series, pressure).filter(isApart);
  const where = 'report: chart "Delivery time"';
  const stalls = stallsOf(all);
  const runMs = series.due.length * series.widthMs;
  if (stalls !== undefined) {
    const { count, lengthMs, periodMs, fromMs, untilMs } = stalls;
    const text =
      `Stalls of about ${readableDuration(Number(lengthMs.toPrecision(2)))} every ${periodText(periodMs)}, ${formatCount(count)} ` +
      `of them ${timeRangeText(fromMs - beginsMs, untilMs - beginsMs)}: nothing is answered meanwhile.`;
    return [{ kind: "stalls", weight: "bad", text, where, severity: Math.min(1, lengthMs / periodMs) }];
  }
  const isLong = ({ lengthMs, othersPerCore, isPressed }: Standstill): boolean =>
    !isPressed && lengthMs >= SILENCE_MS * (1 + othersPerCore);
  const long = all.filter(isLong).toSorted((a, b) => b.lengthMs - a.lengthMs);
  const [longest] = long;
  if (longest === undefined) return [];
  const { atMs, lengthMs, waiting, isOwn } = longest;
  const more = long.length === 1 ? "" : `, the longest of ${formatCount(long.length)} such periods`;
  const text =
    `Nothing was answered for ${readableDuration(lengthMs)} ${timeRangeText(atMs - beginsMs, atMs + lengthMs - beginsMs)}${more}; ` +
    `at its end ${countOf(waiting, "attempt")} waited`;
  const silentMs = long.reduce((sum, one) => sum + one.lengthMs, 0);
  return [
    isOwn
      ? {
          kind: "silence",
          weight: "note",
          where,
          severity: 0,
          text: `${text}; the lab itself was late then and may be the cause.`,
        }
      : { kind: "silence", weight: "bad", where, severity: Math.min(1, silentMs / runMs), text: `${text}.` },
  ];
}

/** A period, with one decimal between 1 s and 1 min: `5.0 s`. */
function periodText(ms: number): string {
  return ms < 1000 || ms >= 60_000 ? readableDuration(ms) : `${(ms / 1000).toFixed(1)} s`;
}

function slowFindings({ series, pressure, beginsMs, model, attempts }: FindingFacts): Finding[] {
  const periods = slowPeriodsOf(series, { isWall: model !== "lockstep", pressure });
  const [longest, ...others] = periods;
  if (longest === undefined) return [];
  const { fromMs, untilMs, meanMs, usualMs, attempts: slow } = longest;
  const name = model === "open" ? "mean service time" : "mean delivery time";
  const more = others.length === 0 ? "" : `, and ${countOf(others.length, "time")} more`;
  return [
    {
      kind: "slow",
      weight: "bad",
      text:
        `Slow ${timeRangeText(fromMs - beginsMs, untilMs - beginsMs)}${more}: ${name} ${readableDuration(meanMs)} against ` +
        `${readableDuration(usualMs)} otherwise, over ${countOf(slow, "attempt")}.`,
      where: 'report: chart "Delivery time"',
      severity: periods.reduce((sum, period) => sum + period.attempts, 0) / Math.max(1, attempts),
    },
  ];
}

function doubleFindings(facts: FindingFacts): Finding[] {
  const { doubles, repeats, attempts, troubles } = facts;
  const found: Finding[] = [];
  const share = (count: number): number => Math.min(1, count / Math.max(1, attempts));
  if (doubles > 0) {
    found.push({
      kind: "doubles",
      weight: "bad",
      text:
        `${countOf(doubles, "message repeats", "messages repeat")} an answer to an event, or to a copy of it: ` +
        `the receiver acts twice on one event.${doublingText(facts)}`,
      where: "handset events RECORDING",
      severity: Math.max(0.01, share(doubles)),
    });
  }
  if (troubles.copies + repeats.resentByTrouble > 0) {
    const sent = troubles.copies + repeats.resentByTrouble;
    found.push({
      kind: "resent",
      weight: "note",
      cause: "story",
      text: `${countOf(sent, "request was", "requests were")} sent to the receiver once more on purpose.${doublingText(facts)}`,
      where: "handset events RECORDING",
      severity: share(sent),
    });
  }
  const resent = repeats.resent - repeats.resentByTrouble;
  if (resent > 0) {
    found.push({
      kind: "resent",
      weight: "note",
      text:
        `${countOf(resent, "attempt repeats", "attempts repeat")} a request that was written and not answered: the ` +
        "receiver may have met them twice.",
      where: "report: Failed attempts",
      severity: share(resent),
    });
  }
  if (repeats.resumed > 0) {
    found.push({
      kind: "resent",
      weight: "note",
      text: `${countOf(repeats.resumed, "attempt was", "attempts were")} repeated by the resume of a run that had been cut off.`,
      where: "handset events RECORDING",
      severity: share(repeats.resumed),
    });
  }
  return found;
}

/**
 * Findings about texts without effect; none for a receiver that acts on no text at all, because it may be designed so.
 */
function withoutEffectFindings({ roundTrips: { matched, waiting, forgotten = 0 } }: FindingFacts): Finding[] {
  if (matched === 0 || waiting <= 0) return [];
  const texts = matched + waiting + forgotten;
  return [
    {
      kind: "without-effect",
      weight: "note",
      text: `${formatCount(waiting)} of ${countOf(texts, "text")} (${formatShare(waiting / texts)}) had no effect: no reply and no message to the person.`,
      where: "handset events RECORDING",
      severity: waiting / texts,
    },
  ];
}

function orderFindings({ order: { retried, raced, troubled }, attempts }: FindingFacts): Finding[] {
  const races = raced >= Math.max(RACED_LEAST, RACED_SHARE * attempts) ? raced : 0;
  const all = retried + races + troubled;
  if (all === 0) return [];
  const causes = [
    ...(troubled === 0
      ? []
      : [`${formatCount(troubled)} because trouble on the way ("delivery") held it back or lost an attempt before`]),
    ...(retried === 0 ? [] : [`${formatCount(retried)} because an attempt before had failed`]),
    ...(races === 0 ? [] : [`${formatCount(races)} because both were under way at once`]),
  ];
  return [
    {
      kind: "reordering",
      weight: "note",
      text: `${countOf(all, "event was", "events were")} accepted after a later event of the same person: ${causes.join(", ")}.`,
      where: "handset events RECORDING",
      ...(troubled === all && { cause: "story" as const }),
      severity: Math.min(1, all / Math.max(1, attempts)),
    },
  ];
}

/** Kinds of findings that changed answers of the receiver can cause: silence, errors and their consequences. */
const kindsCausedByAnswers: ReadonlySet<FindingKind> = new Set([
  "silence",
  "stalls",
  "slow",
  "trend",
  "refusals",
  "failures",
  "resent",
  "unanswered",
  "poison",
  "reordering",
  "late",
]);

/** Turns findings that the story's `receiver` steps may have caused into notes that say so. */
function attributeToStory(findings: readonly Finding[], receiverSteps: number): readonly Finding[] {
  if (receiverSteps === 0) return findings;
  const told = `The story changes the receiver's answers (${countOf(receiverSteps, "step")} "receiver").`;
  return findings.map((finding): Finding =>
    kindsCausedByAnswers.has(finding.kind) && finding.of !== LATE_FROM_PHONE
      ? { ...finding, weight: "note", cause: "story", text: `${finding.text} ${told}` }
      : finding,
  );
}

/** Which events a finding is about, where a filter lists them. */
export function affectedBy({ kind, of = "" }: Finding): AffectedKind | undefined {
  if (kind === "doubles" || kind === "without-effect" || kind === "late") return kind;
  if (kind === "reordering") return "reordered";
  return kind === "refusals" || (kind === "failures" && /^[1-9]\d\d$/.test(of)) ? "refused" : undefined;
}

/** Adds what a finding's events have in common, said once for all findings about them, and the command that lists them. */
function withCommon(commonOf: CommonOf): (finding: Finding) => Finding {
  const said = new Set<AffectedKind>();
  return (finding) => {
    const affected = affectedBy(finding);
    if (affected === undefined) return finding;
    const where = `handset events RECORDING --${affected}`;
    // The type says all of a refusal, and the story of what it has caused.
    if (finding.kind === "refusals" || finding.cause === "story" || said.has(affected)) return { ...finding, where };
    said.add(affected);
    return { ...finding, text: [finding.text, ...commonOf(affected)].join(" "), where };
  };
}
