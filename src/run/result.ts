import type { Delivery } from "../delivery/index.js";
import type { Thresholds } from "../expect/index.js";
import { drainText, type RunMeasurements, type Pace, type RunTotals } from "../lab/index.js";
import { gaps, Ledger, queued } from "../ledger/index.js";
import { growthMsOf, loadModelOfPace } from "../measure/index.js";
import {
  answersProblem,
  blockedText,
  endText,
  fellBehindText,
  type Finding,
  measuresOf,
  type MeasuredRun,
  type ReceiverBehaviour,
  type ReceiverEnd,
  type RunResult,
} from "../report/index.js";
import { checksOf, type Scenario } from "../scenario/index.js";
import { Digest, type RecordingReader } from "../store/index.js";
import { redactedUrl } from "../wire/index.js";
import { judgedByControl } from "./field-control.js";
import { withTwice } from "./never-twice.js";
import { lastCause } from "./story-words.js";

/** The delivery's counts: of one run, or summed over the parts of a fleet. */
export type DeliveryCounts = Pick<Delivery, "counts" | "hadConnection">;

/** The parts from which `resultOfRun` computes the result. */
export interface RunParts {
  readonly scenario: Scenario;
  readonly totals: RunTotals;
  readonly delivery: DeliveryCounts;
  /** The recording's path; null when nothing was kept. */
  readonly recording: string | null;
  /** Faults of the environment, in sentences. */
  readonly failures: readonly string[];
  /** Delivery URL; null when no event was sent. */
  readonly url: string | null;
  /** True when the bundled receiver got the events; it is silent only where the story says so. */
  readonly isBundled: boolean;
  readonly pace: Pace["kind"];
  readonly measurements: {
    readonly meter: RunMeasurements["meter"];
    readonly trips: Pick<RunMeasurements["trips"], "texts" | "forgotten">;
    readonly behaviour: ReceiverBehaviour;
    readonly host: RunMeasurements["host"];
  };
  readonly thresholds: Pick<Thresholds, "results">;
  /** See `receiverStepsOf`. */
  readonly receiverSteps: number;
  /** Present when the receiver's command ended by itself and nothing listens any more. */
  readonly receiverEnd?: ReceiverEnd | undefined;
  /** Finds what was special about an event; absent when unknown. */
  readonly specialOf?: MeasuredRun["specialOf"];
  /** Finds what affected events have in common; absent when unknown. */
  readonly commonOf?: MeasuredRun["commonOf"];
  /** Absent when unknown. */
  readonly late?: MeasuredRun["late"];
  /** Reads what was recorded; absent: `never-twice` says only how often. */
  readonly reader?: () => RecordingReader;
  /** Replays only: see `RunResult`. */
  readonly replayed?: Pick<RunResult, "spacing" | "answers" | "differences">;
}

/** The result of a run that ended, whether or not it was stopped. */
export function resultOfRun(parts: RunParts): RunResult {
  const { scenario, totals, delivery } = parts;
  const { ledger, blocked = [] } = totals;
  const { meter, trips, behaviour, host } = parts.measurements;
  const model = loadModelOfPace(parts.pace);
  const all = meter.total();
  const measured: Omit<RunResult, "expectations" | "problems" | "warnings"> = {
    name: scenario.name,
    seed: scenario.seed,
    digest: totals.digest,
    virtualMs: totals.reachedMs,
    wallMs: Math.round(totals.wallMs),
    cast: {
      handsets: scenario.cast.handsets.reduce((sum, group) => sum + group.count, 0),
      people: scenario.cast.people.reduce((sum, group) => sum + group.count, 0),
    },
    events: Object.fromEntries([...totals.events].toSorted(([a], [b]) => (a < b ? -1 : 1))),
    attempts: { ...delivery.counts },
    replies: {
      valid: totals.replies.valid,
      ignored: totals.replies.ignored,
      reasons: Object.fromEntries(totals.replies.reasons),
    },
    latencyMs: all.delivery.percentiles(),
    deliveryMs: all.delivery.percentiles(),
    ...(model === "open" && {
      serviceMs: all.service.percentiles(),
      latenessMs: all.lateness.percentiles(),
    }),
    ...measuresOf(meter, {
      model,
      texts: trips.texts,
      forgotten: trips.forgotten,
      behaviour,
      host,
      receiverSteps: parts.receiverSteps,
      commandEnd: commandEndOf(parts),
      specialOf: parts.specialOf,
      commonOf: parts.commonOf,
      late: parts.late,
    }),
    ...parts.replayed,
    ledger,
    lost: gaps(ledger),
    queued: queued(ledger),
    ...(blocked.length > 0 && { blocked: blocked.slice(0, BLOCKED_PHONES_MAX) }),
    drain: totals.drained,
    alarms: totals.events.get("alarm") ?? 0,
    ...(totals.flowCalls !== undefined && totals.flowCalls.answered > 0 && { flowCalls: totals.flowCalls }),
    receiver: parts.receiverEnd,
    recording: parts.recording,
  };
  const bounds = parts.thresholds.results(
    {
      "ledger.gap": measured.lost,
      queued: measured.queued,
      ledger,
      trend: growthMsOf(measured.trend),
      wallMs: measured.wallMs,
    },
    performance.now(),
  );
  return {
    ...measured,
    expectations: judgedByControl(
      [
        ...totals.expectations,
        ...(parts.reader === undefined
          ? bounds
          : withTwice(bounds, {
              recording: parts.reader,
              path: parts.recording,
              replyToSender: scenario.service.replyToSender,
            })),
      ],
      scenario.field,
    ),
    problems: problemsOf(parts, measured),
    warnings: warningsOf(parts, measured),
  };
}

function commandEndOf({ receiverEnd, url }: RunParts): MeasuredRun["commandEnd"] {
  if (receiverEnd === undefined || url === null) return undefined;
  return { receiver: new URL(url).origin, how: endText(receiverEnd), isFailure: receiverEnd.exitCode !== 0 };
}

/** The finding that the receiver died, or that its command ended, and that it did not come back. */
function deathIn({ findings = [] }: Pick<RunResult, "findings">): Finding | undefined {
  return findings.find(({ kind }) => kind === "death");
}

/**
 * The result of a run that could not begin: all counts are 0, and the problem is the reason.
 *
 * @param seen - what expectations say instead, if it has begun
 */
export function resultOfNoRun(scenario: Scenario, problem: string, seen = "the run did not begin"): RunResult {
  const nothing = { p50: null, p95: null, p99: null, max: null };
  return {
    name: scenario.name,
    seed: scenario.seed,
    digest: new Digest().hex(),
    virtualMs: 0,
    wallMs: 0,
    events: {},
    attempts: { accepted: 0, retried: 0, refused: 0, failed: 0, timeout: 0, connection: 0 },
    replies: { valid: 0, ignored: 0, reasons: {} },
    latencyMs: nothing,
    ledger: new Ledger().close({ texts: 0, calls: 0, events: 0, attempts: 0 }),
    lost: 0,
    queued: 0,
    alarms: 0,
    expectations: [...checksOf(scenario), ...scenario.expect].map(({ text }) => ({
      text,
      held: false,
      seen,
    })),
    recording: null,
    problems: [problem],
  };
}

/** The exit code by docs/reports.md#exit-codes: 3 outranks 1. */
export function exitCodeOf(result: RunResult, parts: RunParts): 0 | 1 | 3 {
  if (parts.failures.length > 0 || nobodyAnswered(parts)) return 3;
  // The run gave up, or the receiver's command ended: this is a fault of the environment only if the receiver never
  // answered.
  if (!hasAnswered(parts) && (parts.totals.hasGivenUp || parts.receiverEnd !== undefined)) return 3;
  if (parts.totals.hasGivenUp || deathIn(result) !== undefined) return 1;
  const allHeld = result.expectations.every((expectation) => expectation.held);
  const { wasStopped, stepProblems = [] } = parts.totals;
  if ((result.answers?.differing ?? 0) > 0) return 1;
  return allHeld && result.lost === 0 && !wasStopped && stepProblems.length === 0 ? 0 : 1;
}

function problemsOf(parts: RunParts, measured: Pick<RunResult, "findings">): string[] {
  const { totals, receiverEnd } = parts;
  const death = deathIn(measured);
  const stoppedAt = `${Math.round(totals.reachedMs / 1000)} s of virtual time`;
  const problems = [
    ...(totals.stoppedBy === undefined ? [] : [`stopped by '${totals.stoppedBy}' at ${stoppedAt}`]),
    ...parts.failures,
    ...(death === undefined ? [] : [death.text]),
    ...(death === undefined && receiverEnd !== undefined
      ? [`'${receiverEnd.command}' ended by itself (${endText(receiverEnd)})`]
      : []),
    ...(totals.stepProblems ?? []),
  ];
  const lost = gaps(totals.ledger);
  if (lost > 0) {
    problems.push(
      `the ledger does not close: ${lost} ${lost === 1 ? "thing" : "things"} vanished without a cause; ` +
        "this is a defect of handset-lab, please report it with this scenario and seed",
    );
  }
  const answers = parts.replayed?.answers;
  const differ = answers === undefined ? undefined : answersProblem(answers);
  if (differ !== undefined) problems.push(differ);
  if (nobodyAnswered(parts)) problems.push(silenceText(parts));
  if (totals.hasGivenUp) {
    const since = hasAnswered(parts)
      ? "has not answered for too long since then"
      : "has not answered at all for too long";
    problems.push(`given up: the receiver ${since}`);
  }
  // A run that ended by a failure was not stopped by hand; its problems contain the reason.
  const hasFailed = parts.failures.length > 0 || receiverEnd !== undefined;
  if (totals.wasStopped && totals.stoppedBy === undefined && !hasFailed) {
    problems.push(`stopped by hand at ${stoppedAt}`);
  }
  return problems;
}

/** The warning that the generator fell behind comes first, because it makes all other numbers doubtful. */
function warningsOf(
  { scenario, totals, measurements }: RunParts,
  measured: Pick<RunResult, "findings" | "blocked">,
): string[] {
  const behind = fellBehindText(measurements.meter.schedule.punctuality());
  // If nobody listens any more, a longer drain would not help.
  const isGone = deathIn(measured) !== undefined;
  const step = lastCause(scenario.story, totals.reachedMs);
  const cause = blockedText(measured.blocked) ?? (step && `the story may be why: ${step}`);
  const waits = isGone ? undefined : drainText(totals.drained, totals.ledger, cause);
  return [...(behind === undefined ? [] : [behind]), ...(waits === undefined ? [] : [waits]), ...totals.warnings];
}

/** Most phones that a result names. */
const BLOCKED_PHONES_MAX = 20;

function nobodyAnswered(parts: RunParts): boolean {
  const { timeout, connection } = parts.delivery.counts;
  // Attempts that trouble on the way ended show nothing about the receiver.
  const unanswered = timeout + connection - parts.measurements.behaviour.troubles.lost;
  return !parts.isBundled && !hasAnswered(parts) && unanswered > 0;
}

function hasAnswered({ delivery }: RunParts): boolean {
  const { accepted, retried, refused, failed } = delivery.counts;
  return accepted + retried + refused + failed > 0;
}

function silenceText({ delivery, url }: RunParts): string {
  const receiver = `the receiver at ${redactedUrl(url ?? "")}`;
  if (!delivery.hadConnection) return `no attempt ever got a connection: is ${receiver} up?`;
  const { timeout, connection } = delivery.counts;
  const ends = [
    ...(timeout > 0 ? [`${timeout} timed out`] : []),
    ...(connection > 0 ? [`${connection} lost the connection or got an answer that is not HTTP`] : []),
  ];
  return `no attempt ever got an answer: ${receiver} takes connections, and of the attempts ${ends.join(" and ")}`;
}
