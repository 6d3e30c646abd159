import { formatShare } from "../findings/index.js";
import { formatCount, readableDuration, countOf } from "../number-format.js";
import type { AttemptDifference, EndedAttempt } from "./attempt-difference.js";
import type { Comparison, ComparisonRow } from "./compare.js";
import { isWorse } from "./conclusion.js";
import { goneFaults, newFaults } from "./finding-changes.js";

/** The headings of the sections, in display order. */
export const sectionNames: Readonly<Record<ComparisonRow["section"], string>> = {
  rates: "Rates",
  latency: "Delivery",
  outcomes: "How attempts ended",
  ledger: "Accounts",
  types: "Delivery by type",
};

/** A value of a row with its unit. */
export function valueOf({ unit }: ComparisonRow, value: number | null): string {
  if (value === null) return "–";
  if (unit === "ms") return readableDuration(value);
  if (unit === "share") return formatShare(value);
  return unit === "count" ? formatCount(value) : `${formatCount(Math.round(value))}/s`;
}

/** The ratio of after to before, `x 1.25`; empty if it is undefined or 1. */
export function ratioOf({ before, after }: ComparisonRow): string {
  if (before === null || after === null || before === 0 || before === after) return "";
  const ratio = after / before;
  return `x ${ratio.toFixed(ratio < 10 ? 2 : 0)}`;
}

/** A change as a sign and a word. */
export function changeWords({ change, isUnsure }: ComparisonRow): string {
  const words = { same: "= same", better: "▲ better", worse: "▼ worse", other: "≠ differs" }[change];
  return isUnsure && (change === "better" || change === "worse") ? `${words}, may be chance` : words;
}

/** Sentences about whether the events are the same. */
export function eventsInWords({ isSame, difference, attempt, after: { recording } }: Comparison): string[] {
  if (isSame) return ["The events are the same: their digests are equal."];
  if (difference === undefined) return ["The digests differ, but the recorded events are the same."];
  const { after, one, other } = difference;
  const told = (event: typeof one): string =>
    event === null
      ? "no more events"
      : `${event.type} of channel ${event.channel}, number ${event.number}, at ${readableDuration(event.atMs)}: ${event.body}`;
  return [
    `The events differ, after ${formatCount(after)} that are the same:`,
    `before: ${told(one)}`,
    `after: ${told(other)}`,
    ...(attempt === undefined ? [] : [attemptInWords(attempt, recording)]),
  ];
}

/** Why the events differ, as far as the receiver's answers explain it. */
function attemptInWords(difference: AttemptDifference | null, recording: string | null): string {
  if (difference === null) return "Until then all attempts ended the same, so no answer of the receiver explains it.";
  const { one, other } = difference;
  const [before, after] = [one, other].map((attempt) => (attempt === null ? "not made" : endInWords(attempt)));
  const { channel = 0, number = 0, try: tryNumber = 1, dueAtMs = 0 } = one ?? other ?? {};
  const place = `${channel}/${number}`;
  const how =
    before === after
      ? `${before} before and after, with another body of the answer`
      : `${before} before, ${after} after`;
  const why = recording === null ? "" : ` → handset why ${recording} ${place}`;
  return (
    `The first attempt that ended differently: event ${place}, attempt ${tryNumber}, due at ` +
    `${readableDuration(dueAtMs)}: ${how}.${why}`
  );
}

function endInWords({ outcome, status, error }: EndedAttempt): string {
  return `${outcome} (${error ?? status})`;
}

/** The conclusion in one line, with a sign. */
export function headlineOf({ conclusion, conditions, findings }: Comparison): string {
  const failed = conditions.filter(({ hasFailed }) => hasFailed).length;
  const sign = { worse: "▼", better: "▲", "worse and better": "≠", "no difference found": "=", "not tested": "?" };
  const words = {
    worse: "Worse",
    better: "Better",
    "worse and better": "Worse in some, better in others",
    "no difference found": "No difference was found",
    "not tested": "Not tested",
  };
  const [faults, goneCount] = [newFaults(findings).length, goneFaults(findings).length];
  const added = faults === 0 ? "" : `; ${countOf(faults, "new finding")}`;
  const gone = goneCount === 0 ? "" : `; ${countOf(goneCount, "finding is gone", "findings are gone")}`;
  const asked =
    conditions.length === 0 ? "" : `; ${failed} of ${countOf(conditions.length, "condition")} of --fail-if met`;
  return `${sign[conclusion.state]} ${words[conclusion.state]}${added}${gone}${asked}`;
}

/** The reasons for the headline. */
export function conclusionLines(comparison: Comparison): string[] {
  const { conclusion, conditions } = comparison;
  const told = conditions.map(
    ({ text, hasFailed, seen }) => `${hasFailed ? "✘ fails" : "✔ passes"}: ${text} (${seen})`,
  );
  return [...told, ...conclusion.lines, ...findingLines(comparison)];
}

/** The findings of only one of the two runs. */
export function findingLines({ findings: { added, gone } }: Comparison): string[] {
  return [...added.map(({ text }) => `New: ${text}`), ...gone.map(({ text }) => `No longer: ${text}`)];
}

/** How to make a worse comparison fail; undefined when nothing is worse, or conditions were given. */
export function exitCodeHint({ conclusion, findings, conditions }: Comparison): string | undefined {
  if (conditions.length > 0) return undefined;
  const [worse, faults] = [isWorse(conclusion.state), newFaults(findings).length > 0];
  if (!worse && !faults) return undefined;
  const options = [...(worse ? ["--fail-if worse"] : []), ...(faults ? ["--fail-if new-findings"] : [])];
  return `Exit code 0: for exit code 1 add ${options.join(", ")} or --fail-if "delivery.p99 > 1.2x".`;
}

/** The sections that have rows, in display order. */
export function sectionsOf({ rows }: Comparison): [name: string, rows: ComparisonRow[]][] {
  return (Object.keys(sectionNames) as ComparisonRow["section"][])
    .map((section): [string, ComparisonRow[]] => [sectionNames[section], rows.filter((row) => row.section === section)])
    .filter(([, own]) => own.length > 0);
}
