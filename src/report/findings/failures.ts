import { sumOf } from "../../measure/index.js";
import { countOf, formatCount, readableDuration } from "../number-format.js";
import { burstsOf } from "./bursts.js";
import type { Finding, FindingFacts, TypeFacts } from "./finding.js";
import { unexplainedFailures } from "./outages.js";
import { troubleMeaning } from "./troubles.js";
import { failureMeaning, formatShare, timeRangeText } from "./phrases.js";

/** At most this many kinds of failure get a finding each. */
const KINDS_MAX = 3;
/** A type counts as refused if at least this share of its attempts is refused, and… */
const REFUSED_SHARE = 0.05;
/** …the share is at least this many times that of the other types. */
const REFUSED_RATIO = 3;
const REFUSED_LEAST = 3;

/** The failure kind of attempts that had no answer in time. */
const TIMEOUT = "timeout";

/**
 * Findings about attempts that were not accepted and that no outage explains: refused event types, then bursts, or
 * kinds of failure. Timeouts while other programs kept this machine busy get a separate finding.
 */
export function failureFindings(facts: FindingFacts): Finding[] {
  const { series, pressure } = facts;
  const failures = unexplainedFailures(facts).filter(({ kind }) => troubleMeaning(kind) === undefined);
  const pressed = series.timedOut.map((count, bucket) => (pressure.isWaitPressed[bucket] === 1 ? count : 0));
  const timeouts = failures.find(({ kind }) => kind === TIMEOUT)?.count ?? 0;
  const count = Math.min(timeouts, sumOf(pressed, [0, pressed.length]));
  if (count === 0) return findingsOfReceiver({ ...facts, failures });
  const others = failures
    .map((one) => (one.kind === TIMEOUT ? { ...one, count: one.count - count } : one))
    .filter((one) => one.count > 0);
  const failed = series.failed.map((all, bucket) => all - (pressed[bucket] ?? 0));
  const found = findingsOfReceiver({ ...facts, failures: others, series: { ...series, failed } });
  return [...found, pressedTimeouts(count, facts)];
}

function pressedTimeouts(count: number, { attempts }: FindingFacts): Finding {
  return {
    kind: "failures",
    weight: "note",
    of: TIMEOUT,
    text:
      `${countOf(count, "attempt")} (${formatShare(count / attempts)}) had no answer in time while this machine was ` +
      "busy, which may be the cause.",
    where: "report: Failed attempts",
    severity: count / attempts,
  };
}

function findingsOfReceiver(facts: FindingFacts): Finding[] {
  const { failures, attempts, beginsMs, types, series, outages, troubles } = facts;
  const refused = refusedTypes(types);
  if (refused.length > 0) {
    const told = refused.map((type) => refusalFinding(type, attempts));
    const others = failures.filter(({ kind }) => !refused.some(({ status }) => String(status) === kind));
    return [...told, ...others.slice(0, KINDS_MAX).map((one) => failureFinding(one, { attempts, beginsMs }))];
  }
  const isTroubled = troubles.lost > 0; // the series does not tell its own failures from those of the way
  const bursts = failures.length === 0 || outages.length > 0 || isTroubled ? undefined : burstsOf(series);
  if (bursts === undefined)
    return failures.slice(0, KINDS_MAX).map((one) => failureFinding(one, { attempts, beginsMs }));
  const failed = failures.reduce((sum, { count }) => sum + count, 0);
  const [first, ...more] = failures;
  const kinds =
    more.length === 0
      ? failedAs(first?.kind ?? "", failed)
      : `failed (${failures
          .slice(0, KINDS_MAX)
          .map(({ kind, count }) => `${kind} × ${formatCount(count)}`)
          .join(", ")})`;
  const every =
    bursts.periodMs === undefined
      ? ", irregularly"
      : `, every ${readableDuration(Math.round(bursts.periodMs / 100) * 100)}`;
  const text =
    `${countOf(failed, "attempt")} (${formatShare(failed / attempts)}) ${kinds}, in ` +
    `${countOf(bursts.count, "burst")} of ${readableDuration(Number(bursts.lengthMs.toPrecision(2)))}${every}.`;
  return [
    {
      kind: "failures",
      weight: "bad",
      of: first?.kind,
      text,
      where: 'report: chart "Not accepted, by kind"',
      severity: failed / attempts,
    },
  ];
}

function failureFinding(
  { kind, count, firstMs, lastMs }: FindingFacts["failures"][number],
  { attempts, beginsMs }: Pick<FindingFacts, "attempts" | "beginsMs">,
): Finding {
  const text =
    `${countOf(count, "attempt")} (${formatShare(count / attempts)}) ${failedAs(kind, count)}, ` +
    `${timeRangeText(firstMs - beginsMs, lastMs - beginsMs)}.`;
  return {
    kind: "failures",
    weight: "bad",
    of: kind,
    text,
    where: "report: Failed attempts",
    severity: count / attempts,
  };
}

function failedAs(kind: string, count: number): string {
  const meaning = failureMeaning(kind);
  return meaning.startsWith("answered") ? `${count === 1 ? "was" : "were"} ${meaning}` : meaning;
}

/** Event types that a receiver refuses far more often than the others; none if the recording has one type only. */
function refusedTypes(types: readonly TypeFacts[]): TypeFacts[] {
  const attempts = sum(types.map((type) => type.attempts));
  const refused = sum(types.map((type) => type.refused));
  return types
    .filter((type) => {
      const share = type.refused / Math.max(1, type.attempts);
      if (type.refused < REFUSED_LEAST || share < REFUSED_SHARE || types.length === 1) return false;
      const others = (refused - type.refused) / Math.max(1, attempts - type.attempts);
      return share >= REFUSED_RATIO * others;
    })
    .toSorted((a, b) => b.refused - a.refused);
}

function refusalFinding({ type, attempts, refused, status = 0 }: TypeFacts, all: number): Finding {
  const how = refused === attempts ? `every ${type} event` : `${type} events`;
  const share =
    refused === attempts
      ? `all ${formatCount(attempts)}`
      : `${formatCount(refused)} of ${formatCount(attempts)} (${formatShare(refused / attempts)})`;
  return {
    kind: "refusals",
    weight: "bad",
    of: type,
    text: `The receiver refuses ${how}: ${share} attempts were answered with status ${status}.`,
    where: "report: By type and by group",
    severity: refused / Math.max(1, all),
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0);
}
