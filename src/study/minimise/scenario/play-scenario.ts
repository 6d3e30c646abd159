import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { LabError } from "../../../base/index.js";
import { type FailureCondition, FailureWatch, isAboutAnswer } from "../../../expect/index.js";
import type { ExpectationResult } from "../../../measure/index.js";
import type { PlayedAnswer } from "../../../exact/index.js";
import { type RunOptions, type RunOutcome, runScenario } from "../../../run/index.js";
import { LogsOfPlay, logText } from "./logs-of-play.js";
import { readBound, type Scenario } from "../../../scenario/index.js";
import { openRecording } from "../../../store/index.js";
import type { InputCounts } from "../options.js";

const emptyHint = "the receiver must begin with an empty one: let -- COMMAND or --reset empty it before each trial";

/** A failure of a scenario: what was wrong, as a fingerprint and for people. */
export interface ScenarioFailure {
  /** Equal for plays that failed in the same way. */
  readonly fingerprint: string;
  /** What was seen, a clause. */
  readonly seen: string;
  /** Virtual milliseconds since the start, if the failure has a moment. */
  readonly atMs: number | null;
  /** The failing event's type and the answer to it. */
  readonly type?: string;
  readonly answer?: PlayedAnswer;
}

/** What a play of a scenario showed. */
export type ScenarioPlay =
  | {
      readonly outcome: "fails";
      readonly failure: ScenarioFailure;
      /** The condition that holds; absent: an expectation is broken. */
      readonly condition?: FailureCondition;
      readonly counts: InputCounts;
    }
  | { readonly outcome: "passes"; readonly counts: InputCounts }
  /** It could not be judged: `why` is a sentence. */
  | { readonly outcome: "unresolved"; readonly why: string };

/**
 * Plays a scenario once in lockstep, and judges it by conditions: the first one that holds is the failure. Without any, it
 * is the first broken expectation.
 *
 * @param options - `folder`: of the recording, which is deleted again
 */
export async function playScenario(
  scenario: Scenario,
  {
    conditions,
    folder,
    number,
    run,
    onRecorded,
  }: {
    readonly conditions: readonly FailureCondition[];
    readonly folder: string;
    readonly number: number;
    readonly run: Pick<RunOptions, "receiver" | "command" | "waitMs" | "allowHosts" | "signal" | "giveUpAfterMs">;
    /** Called with the recording before it is deleted. */
    readonly onRecorded?: (path: string) => void;
  },
): Promise<ScenarioPlay> {
  const recording = join(folder, `trial-${number}.db`);
  const logs = new LogsOfPlay(conditions, run.receiver);
  try {
    const left = await logs.rowsBefore();
    if (left !== "") throw new LabError("no-receiver", left, { hint: emptyHint });
    const judged = withTerms(scenario, conditions);
    const outcome = await runScenario(judged, { ...run, recording, overwrite: true, pace: "lockstep", connections: 1 });
    if (outcome.exitCode !== 3) onRecorded?.(recording);
    const compared = outcome.exitCode === 3 ? [] : await logs.compared(recording);
    return judgePlay(outcome, { scenario, conditions, recording, compared });
  } finally {
    for (const ending of ["", "-wal", "-shm"]) rmSync(`${recording}${ending}`, { force: true });
  }
}

/** The scenario with the bounds and checks that conditions are about. */
function withTerms(scenario: Scenario, conditions: readonly FailureCondition[]): Scenario {
  const terms = conditions.flatMap((condition) => condition.terms);
  const isTwice = terms.some(({ kind }) => kind === "hears-twice");
  const bounds =
    isTwice && scenario.expect.every(({ text }) => text !== "never-twice") ? [readBound("never-twice").bound] : [];
  const checks = terms.flatMap((term) => (term.kind === "check" ? [{ check: term.check }] : []));
  return {
    ...scenario,
    expect: [...scenario.expect, ...bounds.filter((bound) => bound !== undefined)],
    ...(checks.length > 0 && { checks: [...(scenario.checks ?? []), ...checks] }),
  };
}

function judgePlay(
  { result, exitCode }: RunOutcome,
  {
    scenario,
    conditions,
    recording,
    compared,
  }: {
    readonly scenario: Scenario;
    readonly conditions: readonly FailureCondition[];
    readonly recording: string;
    /** What the receiver's logs show. */
    readonly compared: readonly ExpectationResult[];
  },
): ScenarioPlay {
  const { cast } = result;
  const counts: InputCounts = {
    events: Object.values(result.events).reduce((sum, count) => sum + count, 0),
    people: cast?.people ?? 0,
    handsets: cast?.handsets ?? 0,
    span: scenario.cast.lastsMs,
  };
  const expectations = [...result.expectations, ...compared];
  for (const condition of conditions.length === 0 ? [undefined] : conditions) {
    // A receiver that ends its process by a request fails, although the rest of the play finds none.
    const failure =
      exitCode === 3 ? answerOnly(condition, recording) : failureOf(expectations, { condition, recording });
    if (failure !== undefined) return { outcome: "fails", failure, counts, ...(condition && { condition }) };
  }
  if (exitCode === 3) return { outcome: "unresolved", why: result.problems[0] ?? "the receiver did not answer" };
  return { outcome: "passes", counts };
}

/** The failure of one answer, in a play that ended because the receiver was gone. */
function answerOnly(condition: FailureCondition | undefined, recording: string): ScenarioFailure | undefined {
  if (condition === undefined || !condition.terms.every(isAboutAnswer) || !existsSync(recording)) return undefined;
  const answer = answerFailure(condition, recording);
  return typeof answer === "string" ? undefined : answer;
}

function failureOf(
  expectations: readonly ExpectationResult[],
  { condition, recording }: { readonly condition: FailureCondition | undefined; readonly recording: string },
): ScenarioFailure | undefined {
  const broken = expectations.filter(({ held }) => !held);
  if (condition === undefined) {
    const [first] = broken;
    return first && { fingerprint: `broken ${first.text}`, seen: `${first.text}: ${first.seen}`, atMs: null };
  }
  const whole: ExpectationResult[] = [];
  for (const term of condition.terms) {
    const one = brokenBy(term, broken);
    if (one === "other") continue;
    if (one === undefined) return undefined;
    whole.push(one);
  }
  const answer = answerFailure(condition, recording);
  if (answer === "none") return undefined;
  const [first] = whole;
  if (answer !== "not-asked") return answer;
  return (
    first && { fingerprint: `${condition.text} | ${first.text}`, seen: `${first.text}: ${first.seen}`, atMs: null }
  );
}

/** The broken expectation that a term is about; undefined: it is not broken; `other`: the term is about one answer. */
function brokenBy(
  term: FailureCondition["terms"][number],
  broken: readonly ExpectationResult[],
): ExpectationResult | "other" | undefined {
  if (term.kind === "hears-twice") return broken.find(({ text }) => text === "never-twice");
  if (term.kind === "check") return broken.find(({ text }) => text === term.check.text);
  if (term.kind === "reconcile") return broken.find(({ text }) => text === logText(term));
  if (term.kind !== "broken") return "other";
  const { expectation } = term;
  return broken.find(({ text }) => text === expectation) ?? broken.find(({ text }) => text.includes(expectation));
}

/** The first attempt whose answer is the failure. */
function answerFailure(condition: FailureCondition, path: string): ScenarioFailure | "none" | "not-asked" {
  const terms = condition.terms.filter((term) => isAboutAnswer(term) && term.kind !== "hears-twice");
  if (terms.length === 0) return "not-asked";
  const watch = new FailureWatch({ ...condition, terms });
  const reader = openRecording(path);
  try {
    for (const event of reader.events()) {
      for (const { status, error, body, durationMs } of event.attempts) {
        const answer = body === null ? "" : new TextDecoder().decode(body);
        const failure = watch.observe(event, { status, error, body: answer });
        if (failure === undefined) continue;
        const seen =
          `${event.type} ${event.channel}/${event.number}: ${status ?? error ?? "no answer"} ${answer.slice(0, 200)}`.trim();
        return {
          fingerprint: failure.fingerprint,
          seen,
          atMs: event.atMs,
          type: event.type,
          answer: { status, error, body: answer, tookMs: durationMs },
        };
      }
    }
    return "none";
  } finally {
    reader.close();
  }
}
