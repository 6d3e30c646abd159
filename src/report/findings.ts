import type { Figures } from "./figures/index.js";
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

/** Findings of one sort that are told. */
const TOLD_MAX = 4;

/** What stands out in a run: failures and when they were, slow stretches, silence, what may have been met twice. */
export function findingsOf(figures: Figures): Finding[] {
  return [...failureFindings(figures), ...silences(figures), ...slowSpells(figures), ...doubleFindings(figures)];
}

/** `from 3 s to 6 s`, on the axis' clock. */
export function stretch(fromMs: number, untilMs: number): string {
  const [from, until] = [formatDuration(fromMs), formatDuration(untilMs)];
  return from === until ? `at ${from}` : `from ${from} to ${until}`;
}

const meanings: Readonly<Record<string, string>> = {
  timeout: "had no answer in time",
  ECONNREFUSED: "found nobody listening",
  ECONNRESET: "ended with the connection broken off",
  EPIPE: "ended with the connection closed while the request was written",
  UND_ERR_SOCKET: "ended with the connection closed by the receiver",
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
  const { ended, open, attempts } = perBucket;
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
      return { weight: "bad", text: `Nothing was answered ${when}: at its end ${waiting} attempts were waiting.` };
    });
}

function slowSpells({ axis, perBucket }: Figures): Finding[] {
  const { p50, p95, attempts } = perBucket;
  const medians = p50.filter((ms) => ms !== null).toSorted((a, b) => a - b);
  const usual = medians[Math.floor(medians.length / 2)];
  if (usual === undefined || medians.length < 5) return [];
  const isSlow = (bucket: number): boolean => (p50[bucket] ?? 0) > Math.max(usual * SLOW_FACTOR, usual + SLOW_MS);
  return runsOf(axis.count, isSlow)
    .toSorted(([a, b], [c, d]) => d - c - (b - a))
    .slice(0, TOLD_MAX)
    .map(([from, until]) => {
      const within = p50.slice(from, until).filter((ms) => ms !== null);
      const middle = within.toSorted((a, b) => a - b)[Math.floor(within.length / 2)] ?? 0;
      const worst = Math.max(...p95.slice(from, until).map((ms) => ms ?? 0));
      const count = attempts.slice(from, until).reduce((sum, one) => sum + one, 0);
      const when = stretch(from * axis.widthMs, until * axis.widthMs);
      const told = `median ${formatDuration(middle)} against ${formatDuration(usual)} otherwise`;
      return {
        weight: "bad",
        text: `Slow ${when}: ${told}, 95th percentile up to ${formatDuration(worst)}, ${formatCount(count)} attempts.`,
      };
    });
}

function doubleFindings({ doubles }: Figures): Finding[] {
  const found: Finding[] = [];
  if (doubles.resent > 0) {
    found.push({
      weight: "note",
      text:
        `${counted(doubles.resent, "event was", "events were")} sent again after a request that had been written and got ` +
        "no answer: the receiver may have met them twice.",
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
