import type { Figures, Series } from "./figures/index.js";
import { formatCount, formatDuration } from "./words.js";

/** Something that somebody who reads a report should not have to find in a chart. */
export interface Finding {
  /** `bad`: the receiver did what it should not; `note`: worth knowing. */
  readonly weight: "bad" | "note";
  readonly text: string;
}

/** A stretch counts as slow where its median is so many times the usual one… */
const SLOW_FACTOR = 3;
/** …and so many milliseconds above it. */
const SLOW_MS = 20;

/** …for so many buckets. */
const SLOW_BUCKETS = 3;

/** Our own lateness is told where its p99 is at least this, in milliseconds and as a share of the latency's. */
const LATE_MS = 20;
const LATE_SHARE = 0.05;

/** Findings of one sort that are told. */
const TOLD_MAX = 4;

/** What stands out in a run: failures and when they were, slow stretches, silence, what may have been met twice. */
export function findingsOf(figures: Figures): Finding[] {
  return [
    ...ownLateness(figures),
    ...failureFindings(figures),
    ...silences(figures),
    ...slowSpells(figures),
    ...doubleFindings(figures),
  ];
}

/** `from 3 s to 6 s`, on the axis' clock. */
export function stretch(fromMs: number, untilMs: number): string {
  const [from, until] = [formatDuration(fromMs), formatDuration(untilMs)];
  return from === until ? `at ${from}` : `from ${from} to ${until}`;
}

const meanings: Readonly<Record<string, string>> = {
  timeout: "had no answer in time",
  ECONNREFUSED: "found nobody listening",
  ECONNRESET: "had the connection reset",
  EPIPE: "had the connection closed while the request was written",
  "no-answer": "had the connection closed before any answer",
  "incomplete-answer": "had the connection closed in the middle of the answer",
  "body-too-large": "were answered with too large a body",
};

/** What became of attempts of a failure kind, as the end of a sentence about them. */
export function failureMeaning(kind: string): string {
  if (/^\d+$/.test(kind)) return `answered with status ${kind}`;
  return meanings[kind] ?? `ended with ${kind}`;
}

function failureFindings({ failures, attempts }: Figures): Finding[] {
  return failures.slice(0, TOLD_MAX).map(({ kind, count, firstMs, lastMs }) => {
    const share = formatShare(count / attempts);
    const meaning = failureMeaning(kind);
    const verb = meaning.startsWith("answered") ? (count === 1 ? "was " : "were ") : "";
    const attemptsText = `${formatCount(count)} ${count === 1 ? "attempt" : "attempts"} (${share})`;
    return { weight: "bad", text: `${attemptsText} ${verb}${meaning}, ${stretch(firstMs, lastMs)}.` };
  });
}

/** `3.2 %`, `0.004 %`: two digits that count. */
export function formatShare(share: number): string {
  const percent = share * 100;
  if (percent === 0 || percent >= 99.95) return `${Math.round(percent)} %`;
  return `${Number(percent.toPrecision(percent >= 10 ? 3 : 2))} %`;
}

/** Stretches in which attempts were due and none came to an end. */
function silences({ axis, perBucket }: Figures): Finding[] {
  const { ended, open, attempts, latenessMax = [] } = perBucket;
  if (ended === undefined || open === undefined) return [];
  const isSilent = (bucket: number): boolean => ended[bucket] === 0 && (open[bucket] ?? 0) > 0;
  return runsOf(axis.count, isSilent)
    .filter(([from, until]) => {
      const isLong = (until - from) * axis.widthMs >= 500 && until - from >= 3;
      return isLong && attempts.slice(from, until).some((count) => count > 0);
    })
    .toSorted(([a, b], [c, d]) => d - c - (b - a))
    .slice(0, TOLD_MAX)
    .map(([from, until]) => {
      const waiting = formatCount(open[until - 1] ?? 0);
      const when = stretch(from * axis.widthMs, until * axis.widthMs);
      const told = `Nothing was answered ${when}: at its end ${waiting} attempts were due or waiting`;
      // A lab that stands still asks nothing and reads nothing: then the receiver is not to blame.
      const lateMs = Math.max(0, ...latenessMax.slice(from, until).map((ms) => ms ?? 0));
      if (lateMs < ((until - from) * axis.widthMs) / 2) return { weight: "bad", text: `${told}.` };
      return {
        weight: "note",
        text: `${told}; the lab itself was late then, by up to ${formatDuration(lateMs)}, and may be the cause.`,
      };
    });
}

/** Where latency counts from the due time, what the lab adds must be told before the receiver is blamed. */
function ownLateness({ latenessMs, latencyMs }: Figures): Finding[] {
  const { p99 = null } = latenessMs ?? {};
  if (p99 === null || p99 < LATE_MS || p99 < LATE_SHARE * (latencyMs.p99 ?? 0)) return [];
  return [
    {
      weight: "note",
      text:
        `The lab itself made attempts late, at p99 by ${formatDuration(p99)}: for what the receiver did, look at the service ` +
        "time.",
    },
  ];
}

/** By the service time where there is one: the lab's own lateness is no slowness of the receiver. */
function slowSpells({ axis, perBucket }: Figures): Finding[] {
  const { p50: latency, serviceP50, p95, attempts } = perBucket;
  const medians = serviceP50 ?? latency;
  const usual = medianOf(medians);
  if (usual === undefined) return [];
  const isSlow = (bucket: number): boolean => (medians[bucket] ?? 0) > Math.max(usual * SLOW_FACTOR, usual + SLOW_MS);
  return runsOf(axis.count, isSlow)
    .filter(([from, until]) => until - from >= SLOW_BUCKETS)
    .toSorted(([a, b], [c, d]) => d - c - (b - a))
    .slice(0, TOLD_MAX)
    .map(([from, until]) => {
      const middle = medianOf(medians.slice(from, until)) ?? 0;
      const worst = Math.max(...p95.slice(from, until).map((ms) => ms ?? 0));
      const count = attempts.slice(from, until).reduce((sum, one) => sum + one, 0);
      const when = stretch(from * axis.widthMs, until * axis.widthMs);
      const what = serviceP50 === undefined ? "median" : "median service time";
      const told = `${what} ${formatDuration(middle)} against ${formatDuration(usual)} otherwise`;
      const tail = `95th percentile of latency up to ${formatDuration(worst)}, ${formatCount(count)} attempts`;
      return { weight: "bad", text: `Slow ${when}: ${told}, ${tail}.` };
    });
}

function medianOf(series: Series): number | undefined {
  const sorted = series.filter((value) => value !== null).toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

function doubleFindings({ doubles }: Figures): Finding[] {
  const found: Finding[] = [];
  if (doubles.resent > 0) {
    found.push({
      weight: "note",
      text:
        `${counted(doubles.resent, "attempt repeats", "attempts repeat")} a request that had been written and got no ` +
        "answer: the receiver may have met them twice.",
    });
  }
  if (doubles.repeated > 0) {
    found.push({
      weight: "note",
      text: `${counted(doubles.repeated, "attempt was", "attempts were")} made again after the run had been cut off.`,
    });
  }
  if (doubles.echoes > 0) {
    found.push({
      weight: "note",
      text:
        `${counted(doubles.echoes, "text", "texts")} told the same person the same thing again within ten seconds: ` +
        "does the receiver act twice on one event?",
    });
  }
  return found;
}

function counted(count: number, one: string, more: string): string {
  return `${formatCount(count)} ${count === 1 ? one : more}`;
}

/** The stretches of buckets for which something is true, ends excluded; one bucket where it is not does not end a stretch. */
function runsOf(count: number, isTrue: (bucket: number) => boolean): [from: number, until: number][] {
  const runs: [number, number][] = [];
  for (let bucket = 0; bucket < count; bucket++) {
    if (!isTrue(bucket)) continue;
    const last = runs.at(-1);
    if (last !== undefined && bucket - last[1] <= 1) last[1] = bucket + 1;
    else runs.push([bucket, bucket + 1]);
  }
  return runs;
}
