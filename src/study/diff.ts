import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LabError } from "../base/index.js";
import type { EventFilterOptions } from "../inspect/index.js";
import { AnswerComparison, type AnswerDifference, type AnswersResult, readIgnoredParts } from "../report/index.js";
import { replayRecording, type RunOptions, type RunOutcome, runScenario } from "../run/index.js";
import type { Scenario } from "../scenario/index.js";
import { openRecording } from "../store/index.js";
import { redactedUrl } from "../wire/index.js";
import { comparePlays, type Consequences } from "./diff-plays.js";

/** What is played at both receivers. */
export type DiffSource =
  | { readonly kind: "recording"; readonly path: string; readonly filters?: EventFilterOptions | undefined }
  | { readonly kind: "scenario"; readonly scenario: Scenario };

/** Options of a comparison of two receivers. */
export interface DiffOptions extends Pick<RunOptions, "allowHosts" | "giveUpAfterMs" | "waitMs" | "signal"> {
  readonly source: DiffSource;
  /** URLs of the two builds. */
  readonly receivers: readonly [string, string];
  /** What is not compared, see `readIgnoredParts`. */
  readonly ignore?: readonly string[];
  /** Called before each of the two plays. */
  readonly onStart?: RunOptions["onStart"];
}

/** How two receivers answered one source. */
export interface DiffResult {
  readonly receivers: readonly [string, string];
  readonly answers: AnswersResult;
  /** `recorded` is the answer of the first receiver, `now` that of the second. */
  readonly differences: readonly AnswerDifference[];
  readonly consequences: Consequences;
}

/** Whether two receivers differ, in their answers or in the events that follow from them. */
export function isDifferent({ answers, consequences }: Pick<DiffResult, "answers" | "consequences">): boolean {
  return answers.differing + consequences.onlyFirst + consequences.onlySecond > 0;
}

/**
 * Plays one source at two receivers, one after the other, in lockstep over one connection: the order in which each gets
 * the events is fixed. Then holds the answers of the second against those of the first.
 *
 * @throws LabError for bad options, and `no-answer` where a receiver did not answer to the end
 */
export async function diffReceivers(options: DiffOptions): Promise<DiffResult> {
  const ignored = readIgnoredParts(options.ignore ?? []);
  const folder = mkdtempSync(join(tmpdir(), "handset-diff-"));
  try {
    const paths: string[] = [];
    for (const [index, receiver] of options.receivers.entries()) {
      const path = join(folder, `${index}.db`);
      requireAnswers(await playAt(receiver, path, options), receiver);
      paths.push(path);
    }
    const [before, after] = [openRecording(paths[0] ?? ""), openRecording(paths[1] ?? "")];
    try {
      const { replyToSender } = before.meta().preset;
      const comparison = new AnswerComparison({ ignored, replyToSender });
      const consequences = comparePlays({
        before: before.events(),
        after: after.events(),
        comparison,
        ignored,
        isFixed: options.source.kind === "recording",
      });
      const { answers, differences } = comparison.result([]);
      const receivers = options.receivers.map(redactedUrl) as [string, string];
      return { receivers, answers, differences, consequences };
    } finally {
      before.close();
      after.close();
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function playAt(receiver: string, recording: string, options: DiffOptions): Promise<RunOutcome> {
  const { source, allowHosts, giveUpAfterMs, waitMs, signal, onStart } = options;
  const shared = { receiver, recording, allowHosts, giveUpAfterMs, waitMs, signal };
  if (source.kind === "recording") {
    return replayRecording(source.path, { ...shared, onStart, pace: "lockstep", filters: source.filters });
  }
  return runScenario(source.scenario, { ...shared, onStart, pace: "lockstep", connections: 1 });
}

/** A receiver that is away gives no answers to compare. */
function requireAnswers({ result, exitCode }: RunOutcome, receiver: string): void {
  const isCutShort = exitCode === 3 || result.problems.some((text) => /^(?:given up|stopped by hand)/.test(text));
  if (!isCutShort) return;
  throw new LabError("no-receiver", `${redactedUrl(receiver)}: ${result.problems[0] ?? "the run did not end"}`, {
    hint: "both receivers must answer to the end",
  });
}
