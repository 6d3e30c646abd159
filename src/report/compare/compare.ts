import { attemptOutcomes } from "../../measure/index.js";
import type { RecordingReader, RunMeta } from "../../store/index.js";
import { type Figures, gatherFiguresAndHistograms } from "../figures/index.js";
import type { RunResult } from "../result.js";
import { resultOf } from "../result-of-recording.js";
import { type Block, blocksOf } from "./blocks.js";
import { busySentence, type TestedChange, changeOfTest, conclude, type Conclusion } from "./conclusion.js";
import { type AttemptDifference, firstAttemptDifference } from "./attempt-difference.js";
import { firstDifference, type Difference } from "./difference.js";
import { type FailIf, type FailIfResult, judgeFailIfs } from "./fail-if.js";
import { type FindingChanges, findingChanges } from "./finding-changes.js";
import { detectableDifferences, testDifference, type TestOutcome } from "./permutation.js";
import type { TestedName } from "./paired-rows.js";

/** One figure, measured in both runs. */
export interface ComparisonRow {
  readonly section: "rates" | "latency" | "outcomes" | "ledger" | "types";
  readonly name: string;
  readonly unit: "ms" | "count" | "share" | "per second";
  readonly before: number | null;
  readonly after: number | null;
  /** `better` and `worse` only for figures with a good direction; `other` for different figures without one. */
  readonly change: "same" | "better" | "worse" | "other";
  /** True when the difference may be chance: no test found it, or the figure has no test. */
  readonly isUnsure: boolean;
}

/** The comparison of two recordings. Plain JSON. */
export interface Comparison {
  readonly before: RunResult;
  readonly after: RunResult;
  /** The digests are equal: the same events at the same instants. */
  readonly isSame: boolean;
  /** The first event that differs; undefined when there is none. */
  readonly difference: Difference | undefined;
  /**
   * The first attempt that ended differently, up to the first event that differs. Null: all ended the same. Absent: the
   * events are the same, or a run was not in lockstep, so its attempts have no order.
   */
  readonly attempt?: AttemptDifference | null;
  /** Differences between the set-ups, such as another pace, that limit what the comparison means. */
  readonly cautions: readonly string[];
  readonly rows: readonly ComparisonRow[];
  readonly conclusion: Conclusion;
  /** Findings of only one of the two runs. */
  readonly findings: FindingChanges;
  /** See `testDifference`; absent when the runs are too short. */
  readonly tests?: TestResults;
  /** The results of the conditions in `failIf`. */
  readonly conditions: readonly FailIfResult[];
}

type TestResults = Readonly<Record<TestedName, TestOutcome>>;

interface ComparedRun {
  readonly result: RunResult;
  readonly figures: Figures;
  readonly blocks: readonly Block[];
}

/**
 * Compares two runs: tests, findings, events and numbers.
 *
 * @param options - `failIf`: conditions under which the comparison fails
 * @throws StoreError when a recording cannot be read
 */
export function compareRecordings(
  before: RecordingReader,
  after: RecordingReader,
  { failIf = [] }: { readonly failIf?: readonly FailIf[] } = {},
): Comparison {
  const [a, b] = [comparedRunOf(before), comparedRunOf(after)];
  const tests = testDifference(a.blocks, b.blocks);
  const isSame = a.result.digest === b.result.digest;
  const difference = isSame ? undefined : firstDifference(before, after);
  const isLockstep = a.result.model === "lockstep" && b.result.model === "lockstep";
  const findings = findingChanges(a.result, b.result);
  const detectable = (): ReturnType<typeof detectableDifferences> => detectableDifferences(a.blocks, b.blocks);
  const conclusion = conclude(a, b, tests, { findings, detectable });
  return {
    before: a.result,
    after: b.result,
    isSame,
    difference,
    ...(difference !== undefined &&
      isLockstep && { attempt: firstAttemptDifference(before, after, instantOf(difference)) ?? null }),
    cautions: cautionsOf(before, after, { a, b }),
    rows: [
      ...rateRows(a, b),
      ...latencyRows(a, b, busySentence(a, b) === undefined ? tests : undefined),
      ...outcomeRows(a, b, tests),
      ...accountRows(a, b),
      ...typeRows(a, b),
    ],
    conclusion,
    findings,
    tests,
    conditions: judgeFailIfs(
      failIf,
      { recording: before, result: a.result },
      { recording: after, result: b.result, conclusion, findings },
    ),
  };
}

function instantOf({ one, other }: Difference): number {
  return Math.min(one?.atMs ?? Infinity, other?.atMs ?? Infinity);
}

function comparedRunOf(recording: RecordingReader): ComparedRun {
  const gathered = gatherFiguresAndHistograms(recording);
  return { result: resultOf(recording), figures: gathered.figures, blocks: blocksOf(gathered) };
}

function cautionsOf(
  before: RecordingReader,
  after: RecordingReader,
  { a, b }: { a: ComparedRun; b: ComparedRun },
): string[] {
  const [one, other] = [before.meta(), after.meta()];
  const cautions: string[] = [];
  const unlike = (name: string, x: string, y: string): void => {
    if (x !== y) cautions.push(`${name} differs: ${x || "none"} before, ${y || "none"} after`);
  };
  const [x, y] = [optionsOf(one), optionsOf(other)];
  for (const key of new Set([...Object.keys(x), ...Object.keys(y)])) {
    unlike(`the option ${key}`, x[key] ?? "", y[key] ?? "");
  }
  unlike("the seed", String(one.seed), String(other.seed));
  unlike("the version", one.version, other.version);
  if (one.scenario.text !== other.scenario.text) cautions.push("the scenario's text differs");
  for (const [word, { result }] of [
    ["before", a],
    ["after", b],
  ] as const) {
    if ((result.warnings ?? []).some((text) => /fell behind/.test(text))) {
      cautions.push(`the run ${word} fell behind its schedule: its delivery times include the lab's own lateness`);
    }
  }
  return cautions;
}

/** The options of a run except the receiver and the folder of its parts, which usually differ between compared runs. */
function optionsOf({ options }: RunMeta): Record<string, string> {
  const { receiver: _, again = "{}", ...rest } = options;
  const { receiver: __, startWhenAllReady: ___, ...kept } = JSON.parse(again) as Record<string, unknown>;
  return { ...Object.fromEntries(Object.entries(kept).map(([key, value]) => [key, String(value)])), ...rest };
}

function rateRows(a: ComparedRun, b: ComparedRun): ComparisonRow[] {
  const perSecond = ({ result }: ComparedRun): number | null =>
    result.wallMs > 0 ? (sumOf(result.attempts) * 1000) / result.wallMs : null;
  const events = row("rates", "events", "count", sumOf(a.result.events), sumOf(b.result.events));
  const isMax = a.figures.speed === null && b.figures.speed === null && a.figures.axis.kind === "wall";
  const attempts = row(
    "rates",
    "attempts a second",
    "per second",
    perSecond(a),
    perSecond(b),
    isMax ? "higher" : undefined,
  );
  // Each run has only one such figure, so its variance is unknown.
  const told = { ...attempts, isUnsure: attempts.change !== "same" };
  return a.figures.axis.kind === "wall" && b.figures.axis.kind === "wall" ? [events, told] : [events];
}

function latencyRows(a: ComparedRun, b: ComparedRun, tests: TestResults | undefined): ComparisonRow[] {
  const names = ["p50", "p95", "p99", "max"] as const;
  return names.map((name) => {
    const plain = row("latency", name, "ms", a.result.latencyMs[name], b.result.latencyMs[name], "lower");
    // A maximum is one attempt's value, so it cannot be tested.
    const found = name === "max" ? undefined : testedChange(name, tests, a);
    return { ...plain, isUnsure: plain.change !== "same" && found !== plain.change };
  });
}

function testedChange(
  name: TestedName,
  tests: TestResults | undefined,
  { figures }: ComparedRun,
): TestedChange | undefined {
  const usualMs = name === "failures" || name === "answers" ? null : figures.latencyMs[name];
  return tests === undefined ? undefined : changeOfTest(name, tests[name], usualMs);
}

function outcomeRows(a: ComparedRun, b: ComparedRun, tests: TestResults | undefined): ComparisonRow[] {
  const [all, others] = [sumOf(a.result.attempts), sumOf(b.result.attempts)];
  const isFound = (["failures", "answers"] as const).some((name) => {
    const change = testedChange(name, tests, a);
    return change !== undefined && change !== "none";
  });
  return attemptOutcomes.flatMap((outcome) => {
    const [x, y] = [a.result.attempts[outcome], b.result.attempts[outcome]];
    if (x + y === 0) return [];
    const plain = row(
      "outcomes",
      outcome,
      "share",
      all === 0 ? null : x / all,
      others === 0 ? null : y / others,
      outcome === "accepted" ? "higher" : "lower",
    );
    return { ...plain, isUnsure: plain.change !== "same" && !isFound };
  });
}

function accountRows(a: ComparedRun, b: ComparedRun): ComparisonRow[] {
  const { ledger: one } = a.result;
  const { ledger: other } = b.result;
  return [
    row("ledger", "events failed for good", "count", one.events.failed, other.events.failed, "lower"),
    row("ledger", "events still waiting", "count", one.events.queued, other.events.queued, "lower"),
    row("ledger", "texts lost by a cause", "count", sumOf(one.texts.lost), sumOf(other.texts.lost)),
    row("ledger", "vanished without a cause", "count", a.result.lost, b.result.lost, "lower"),
    row("ledger", "repeated, unanswered", "count", a.figures.doubles.resent, b.figures.doubles.resent, "lower"),
  ];
}

function typeRows(a: ComparedRun, b: ComparedRun): ComparisonRow[] {
  const names = [...new Set([...a.figures.byType, ...b.figures.byType].map(({ name }) => name))].toSorted();
  const p99 = ({ figures }: ComparedRun, type: string): number | null =>
    figures.byType.find(({ name }) => name === type)?.latencyMs.p99 ?? null;
  return names.map((type) => ({
    ...row("types", `${type}, p99`, "ms", p99(a, type), p99(b, type), "lower"),
    isUnsure: true,
  }));
}

/** Values that differ by at most this ratio count as the same. */
const SAME_RATIO = 0.005;

function row(
  section: ComparisonRow["section"],
  name: string,
  unit: ComparisonRow["unit"],
  before: number | null,
  after: number | null,
  good?: "lower" | "higher",
): ComparisonRow {
  return { section, name, unit, before, after, change: changeOf(before, after, good), isUnsure: false };
}

function changeOf(
  before: number | null,
  after: number | null,
  good: "lower" | "higher" | undefined,
): ComparisonRow["change"] {
  if (before === after) return "same";
  if (before === null || after === null) return "other";
  if (Math.abs(after - before) <= SAME_RATIO * Math.max(Math.abs(before), Math.abs(after))) return "same";
  if (good === undefined) return "other";
  return after < before === (good === "lower") ? "better" : "worse";
}

function sumOf(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}
