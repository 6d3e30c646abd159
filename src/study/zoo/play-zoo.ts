import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RunOptions, RunOutcome } from "../../run/index.js";
import { runScenario } from "../../run/index.js";
import { requireAccepting } from "./accepting.js";
import { onlyRefused, type RefusedTypes, typedAttempts } from "./refused-types.js";
import type { ZooFile } from "./zoo-files.js";
import type { ZooReceivers } from "./zoo-receivers.js";

/** How the zoo is played. */
export interface ZooOptions extends Pick<RunOptions, "allowHosts" | "giveUpAfterMs" | "signal"> {
  readonly files: readonly ZooFile[];
  /** Closed at the end. */
  readonly receivers: ZooReceivers;
  /** Folder for the recordings of scenarios that failed; absent: none is kept. */
  readonly keepIn?: string | undefined;
  /** Called after each scenario. */
  readonly onPlayed?: ((played: PlayedFile) => void) | undefined;
}

/** An expectation of a right receiver that is broken. */
export interface BrokenExpectation {
  /** As the scenario writes it. */
  readonly text: string;
  readonly seen: string;
  /** Of a bound: the name of its metric. */
  readonly metric?: string;
}

type Verdict = Pick<PlayedFile, "verdict" | "broken" | "why" | "needs">;

/** What a scenario says about the receiver. */
export interface PlayedFile {
  readonly name: string;
  readonly title: string;
  /** What a receiver must do, from the end of the story. */
  readonly lesson: string;
  readonly sources: readonly string[];
  /**
   * `passed`: the receiver does what a right one does. `failed`: it does not. `untested`: the scenario says nothing about
   * this receiver, for the reason `why`.
   */
  readonly verdict: "passed" | "failed" | "untested";
  /** What a right receiver does and this one does not. */
  readonly broken: readonly BrokenExpectation[];
  readonly why?: string;
  /** `untested` by the control: what it needs, as the end of `needs a receiver that …`. */
  readonly needs?: string;
  /** Events that were posted. */
  readonly events: number;
  /** Wall seconds. */
  readonly seconds: number;
  /** Path of the recording, if it failed. */
  readonly recording?: string;
}

/** The zoo played at one receiver. */
export interface ZooResult {
  readonly passed: number;
  readonly failed: number;
  readonly untested: number;
  /** Scenarios that were not played. */
  readonly left: number;
  /** Why they were not; absent: all were played, or the run was interrupted. */
  readonly stopped?: string;
  readonly seconds: number;
  readonly files: readonly PlayedFile[];
}

/**
 * Plays the scenarios, as many at a time as there are receivers. Each gets its receiver from `receivers`, so a receiver that
 * can be reset or restarted remembers nothing of another scenario.
 *
 * @throws LabError `no-receiver` if nobody listens, or if it accepts no ordinary text
 */
export async function playZoo(options: ZooOptions): Promise<ZooResult> {
  const { files, receivers, signal } = options;
  const started = performance.now();
  const folder = mkdtempSync(join(tmpdir(), "handset-zoo-"));
  const results: (PlayedFile | undefined)[] = files.map(() => undefined);
  const inOrder = reportInOrder(results, options.onPlayed);
  let next = 0;
  let hasEnded = false;
  let stopped: string | undefined;
  let refused: RefusedTypes = new Map();
  const playFiles = async (): Promise<void> => {
    for (let file = files[next]; file !== undefined && !hasEnded && signal?.aborted !== true; file = files[next]) {
      const index = next++;
      const one = await playFile(file, { ...options, folder, refused }).catch((error: unknown) => {
        hasEnded = true;
        throw error;
      });
      if (one === undefined) return;
      if (typeof one === "string") {
        hasEnded = true;
        stopped ??= one;
        return;
      }
      results[index] = one;
      inOrder();
    }
  };
  try {
    if (!receivers.isBundled) refused = await requireAccepting({ ...options, folder });
    // A scenario that fails to start its receiver ends all, once those under way have released theirs.
    const ends = await Promise.allSettled(Array.from({ length: receivers.width }, playFiles));
    const failed = ends.find((end) => end.status === "rejected");
    if (failed !== undefined) throw failed.reason;
  } finally {
    await receivers.close();
    rmSync(folder, { recursive: true, force: true });
  }
  const played = results.filter((one) => one !== undefined);
  const count = (verdict: PlayedFile["verdict"]): number => played.filter((one) => one.verdict === verdict).length;
  return {
    passed: count("passed"),
    failed: count("failed"),
    untested: count("untested"),
    left: files.length - played.length,
    ...(stopped !== undefined && { stopped }),
    seconds: secondsSince(started),
    files: played,
  };
}

/** Reports each result once, in the order of the scenarios, also where a later one ended first. */
function reportInOrder(results: readonly (PlayedFile | undefined)[], onPlayed: ZooOptions["onPlayed"]): () => void {
  let next = 0;
  return () => {
    for (let one = results[next]; one !== undefined; one = results[next]) {
      next++;
      onPlayed?.(one);
    }
  };
}

/** @returns undefined: it was interrupted. A text: the receiver does not answer any more */
async function playFile(
  file: ZooFile,
  options: ZooOptions & { readonly folder: string; readonly refused: RefusedTypes },
): Promise<PlayedFile | string | undefined> {
  const { receivers, folder, keepIn, allowHosts, giveUpAfterMs, signal, refused } = options;
  const started = performance.now();
  const recording = keepIn === undefined && refused.size === 0 ? ":memory:" : join(folder, `${file.name}.db`);
  const receiver = await receivers.take();
  let outcome: RunOutcome;
  try {
    outcome = await runScenario(file.scenario, {
      receiver: receiver.url,
      recording,
      ...(allowHosts !== undefined && { allowHosts }),
      ...(giveUpAfterMs !== undefined && { giveUpAfterMs }),
      ...(signal !== undefined && { signal }),
    });
  } finally {
    await receiver.release();
  }
  if (signal?.aborted === true) return undefined;
  if (outcome.exitCode === 3) return `${file.name}: ${outcome.result.problems[0] ?? "the receiver does not answer"}`;
  const { name, title, lesson, field } = file;
  const judged = { name, title, lesson, sources: field.sources, ...judge(file, outcome, { recording, refused }) };
  const events = Object.values(outcome.result.events).reduce((sum, count) => sum + count, 0);
  if (judged.verdict !== "failed") return { ...judged, events, seconds: secondsSince(started) };
  // What was seen names the recording in commands.
  if (keepIn === undefined) {
    const broken = judged.broken.map((one) => ({ ...one, seen: one.seen.replace(/\. handset events .*$/s, "") }));
    return { ...judged, broken, events, seconds: secondsSince(started) };
  }
  const kept = keep(recording, keepIn, name);
  const broken = judged.broken.map((one) => ({ ...one, seen: one.seen.replaceAll(recording, kept) }));
  return { ...judged, broken, events, seconds: secondsSince(started), recording: kept };
}

/** `verdictOf`, but refusals of types that the receiver does not offer accuse nobody. */
function judge(
  file: ZooFile,
  outcome: RunOutcome,
  { recording, refused }: { readonly recording: string; readonly refused: RefusedTypes },
): Verdict {
  const verdict = verdictOf(file, outcome);
  if (verdict.verdict !== "failed" || refused.size === 0) return verdict;
  if (!verdict.broken.every(({ metric }) => metric !== undefined && ABOUT_ANSWERS.test(metric))) return verdict;
  const types = onlyRefused(typedAttempts(recording), refused);
  if (types === undefined) return verdict;
  const statuses = [...new Set(types.values())].join(", ");
  const why = `it refuses every ${[...types.keys()].join(", ")} (${statuses}), also an ordinary one`;
  return { verdict: "untested", broken: [], why };
}

/** Metrics of the receiver's answers. */
const ABOUT_ANSWERS = /^(?:failures|attempts|statuses)\b/;

function keep(recording: string, folder: string, name: string): string {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `zoo-${name}.db`);
  copyFileSync(recording, path);
  return path;
}

/**
 * What an outcome says about the receiver. A broken expectation of `right` accuses it. If the control is not met, or the
 * story took another course than it tells, it accuses nobody.
 */
export function verdictOf(
  { field, scenario }: Pick<ZooFile, "field" | "scenario">,
  { result, exitCode }: RunOutcome,
): Verdict {
  const { control, right } = field;
  const broken = result.expectations
    // A share of no attempts was not measured: that is no fault of the receiver.
    .filter(({ text, held, metric }) => !held && metric?.seen !== null && right.includes(text))
    .map(({ text, seen, metric }) => ({
      text,
      seen: `${seen}${answersIn(result, metric?.name)}`,
      ...(metric !== undefined && { metric: metric.name }),
    }));
  if (broken.length > 0) return { verdict: "failed", broken };
  const died = result.findings?.find(({ kind }) => kind === "death");
  if (died !== undefined)
    return { verdict: "failed", broken: [{ text: "the receiver answers to the end", seen: died.text }] };
  const isUntested = result.expectations.some(({ seen }) => seen.startsWith("untested: "));
  if (isUntested && control !== undefined) {
    const { needs } = control;
    return { verdict: "untested", broken, why: `needs a receiver that ${needs}`, needs };
  }
  const other = result.expectations.find(({ held }) => !held);
  if (other !== undefined) {
    return { verdict: "untested", broken, why: `the story took another course: ${other.text} (seen ${other.seen})` };
  }
  if (exitCode !== 0) {
    const [problem = "the run has a problem"] = result.problems;
    return { verdict: "untested", broken, why: `${scenario.name}: ${problem}` };
  }
  return { verdict: "passed", broken };
}

/** The answers beside a bound on attempts: a share alone does not say what the receiver answered. */
function answersIn({ statuses = {} }: RunOutcome["result"], metric = ""): string {
  if (!ABOUT_ANSWERS.test(metric)) return "";
  const counts = Object.entries(statuses).map(([status, count]) => `${status} ${count}x`);
  return counts.length === 0 ? "" : `; the answers were ${counts.join(", ")}`;
}

function secondsSince(started: number): number {
  return Math.round((performance.now() - started) / 10) / 100;
}
