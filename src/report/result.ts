import { gaps, type LedgerReport, queued } from "../ledger/index.js";
import type { AttemptOutcome, MetricUnit, Percentiles, Tags } from "../measure/index.js";
import { digestOfRecording, type RecordingReader, storeError } from "../store/index.js";
import { isKeptResult } from "./kept-result.js";
import { receiverSteps } from "./story.js";
import { behindText, type Measures, measuresOf, meterOf, modelOf } from "./measures.js";

export { attemptOutcomes, type AttemptOutcome, type Percentiles } from "../measure/index.js";

export interface RepliesResult {
  /** Those that sent messages. */
  readonly valid: number;
  /** Accepted answers that said something (not empty, not `{}`) and sent nothing. */
  readonly ignored: number;
  /** The ignored ones by stable word. */
  readonly reasons: Readonly<Record<string, number>>;
}

/** How long a run drained at most and in fact, in virtual milliseconds. What waited after it is in the ledger, as `queued`. */
export interface DrainResult {
  readonly limitMs: number;
  readonly tookMs: number;
  /** Nothing waited any more, so it ended before its limit. */
  readonly isEmpty: boolean;
}

export interface ExpectationResult {
  /** As the scenario has it. */
  readonly text: string;
  readonly held: boolean;
  /** What was seen, with its unit. */
  readonly seen: string;
  /** What stands behind the text, for programs; absent for the story's own expectations. */
  readonly metric?: {
    /** `delivery.p99` */
    readonly name: string;
    readonly tags?: Tags;
    readonly op: string;
    /** The bound, in the metric's unit: milliseconds, a count, a share 0..1, so many a second, bytes. */
    readonly value: number;
    readonly unit: MetricUnit;
    /** What was seen, in the same unit: with a window, in the worst of them; null where nothing was measured. */
    readonly seen: number | null;
    /** The window, in wall milliseconds; absent: the whole run. */
    readonly overMs?: number;
    readonly fromMs?: number;
    /** When the worst window ended, or the bound was broken for good: wall milliseconds after the run began. */
    readonly atMs?: number;
    /** It has stopped the run. */
    readonly hasStopped?: boolean;
  };
}

/**
 * The result of a run: what `handset run --json` prints, and what its recording keeps. Plain JSON. `Measures` are absent
 * where a run did not begin, and in what earlier versions have kept.
 */
export interface RunResult extends Partial<Measures> {
  /** The scenario's name. */
  readonly name: string;
  readonly seed: number;
  /** Which part of the fleet it is, such as `2/8`; absent: it is the whole. */
  readonly shard?: string;
  /** SHA-256 of the events, hexadecimal; the same for the same seed in lockstep. */
  readonly digest: string;
  /** How long the world lived. */
  readonly virtualMs: number;
  /** The time after `virtualMs` in which what waited came to its end. Absent: there was none, or the run was ended. */
  readonly drain?: DrainResult;
  /** From the first due event to the last answer. */
  readonly wallMs: number;
  /** How many phones and people played; absent when that is not known. */
  readonly cast?: { readonly handsets: number; readonly people: number };
  /** By type. */
  readonly events: Readonly<Record<string, number>>;
  readonly attempts: Readonly<Record<AttemptOutcome, number>>;
  readonly replies: RepliesResult;
  /** In lockstep from request written to answer read; in paced runs from the due time. Answers and timeouts count. */
  readonly latencyMs: Percentiles;
  /** The same under the name of its metric; absent in what earlier versions have kept. */
  readonly deliveryMs?: Percentiles;
  /** Paced runs only: from request written to answer read. */
  readonly serviceMs?: Percentiles;
  /** Paced runs only: how late requests were written by our own doing. */
  readonly latenessMs?: Percentiles;
  readonly ledger: LedgerReport;
  /** What is missing without a named cause; not 0 is a bug. */
  readonly lost: number;
  /** What still waits, over all accounts. */
  readonly queued: number;
  readonly alarms: number;
  readonly expectations: readonly ExpectationResult[];
  /** The recording's path; null when none was made. */
  readonly recording: string | null;
  /** What went wrong with the run itself, in sentences. */
  readonly problems: readonly string[];
  /** The run still plays, or was cut off: these are the numbers up to there. */
  readonly isUnfinished?: true;
  /** What somebody who reads the result should know, although nothing is broken by it. */
  readonly warnings?: readonly string[];
}

/**
 * The result of a recorded run: the one that it ended with, or for a run that is still playing or was cut off, what
 * its tables tell.
 *
 * @throws StoreError when the recording cannot be read
 */
export function resultOf(recording: RecordingReader): RunResult {
  const end = recording.end();
  if (end === undefined) return resultOfTables(recording);
  const kept = JSON.parse(end.resultJson) as RunResult;
  if (!isKeptResult(kept)) throw storeError("recording-edited", recording.path, "read");
  return { ...kept, ...(kept.findings === undefined && findingsIn(recording)), recording: recording.path };
}

/** Of a recording that an earlier version has made. */
function findingsIn(recording: RecordingReader): Pick<Measures, "doubles" | "findings"> {
  const { meter, texts, conduct } = meterOf(recording);
  const { doubles, findings } = measuresOf(meter, {
    model: modelOf(recording),
    texts,
    conduct,
    receiverSteps: receiverSteps(recording),
  });
  return { doubles, findings };
}

/** What the tables alone tell. Copies, losses in the air and expectations are known to a run only while it plays. */
function resultOfTables(recording: RecordingReader): RunResult {
  const meta = recording.meta();
  const ledger = ledgerOf(recording);
  const events = recording.eventsByType();
  const { meter, texts, conduct } = meterOf(recording);
  const measures = measuresOf(meter, {
    model: modelOf(recording),
    texts,
    conduct,
    receiverSteps: receiverSteps(recording),
  });
  const { delivery, service, lateness } = meter.total();
  const behind = behindText(meter.schedule.punctuality());
  return {
    name: meta.name,
    seed: meta.seed,
    digest: digestOfRecording(recording),
    virtualMs: recording.lastAtMs(),
    wallMs: recording.wallMs(),
    events: Object.fromEntries(events),
    attempts: attemptsOf(recording),
    replies: repliesOf(recording),
    latencyMs: delivery.percentiles(),
    deliveryMs: delivery.percentiles(),
    ...(measures.model === "open" && { serviceMs: service.percentiles(), latenessMs: lateness.percentiles() }),
    ...measures,
    ledger,
    lost: gaps(ledger),
    queued: queued(ledger),
    alarms: events.get("alarm") ?? 0,
    expectations: [],
    recording: recording.path,
    isUnfinished: true,
    problems: [
      "the run has not ended: it is still playing, or it was cut off; this is what its recording tells so far",
    ],
    ...(behind !== undefined && { warnings: [behind] }),
  };
}

function attemptsOf(recording: RecordingReader): Record<AttemptOutcome, number> {
  const counts = recording.attemptsByOutcome();
  const of = (outcome: AttemptOutcome): number => counts.get(outcome) ?? 0;
  return {
    accepted: of("accepted"),
    retried: of("retried"),
    refused: of("refused"),
    failed: of("failed"),
    timeout: of("timeout"),
    connection: of("connection"),
  };
}

function repliesOf(recording: RecordingReader): RepliesResult {
  const reasons = recording.repliesByReason();
  const valid = reasons.get("valid") ?? 0;
  reasons.delete("valid");
  return { valid, ignored: sum(reasons.values()), reasons: Object.fromEntries(reasons) };
}

/** The accounts as far as the service's tables know them; what is on its way to or from a phone they cannot see. */
function ledgerOf(recording: RecordingReader): LedgerReport {
  const counts = recording.counts();
  const messages = recording.messagesByStatus();
  const fates = recording.eventFates(recording.meta().preset.attempts);
  const accepted = recording.attemptsByOutcome().get("accepted") ?? 0;
  const arrived = sum([...messages].map(([word, count]) => (word.startsWith("I") || word === "OD" ? count : 0)));
  const failed = messages.get("OF") ?? 0;
  const nothing = { copies: {}, lost: {}, failed: 0, queued: 0, gap: 0 };
  return {
    texts: {
      ...nothing,
      in: counts.messages,
      delivered: arrived,
      failed,
      queued: counts.messages - arrived - failed,
    },
    calls: { ...nothing, in: counts.calls, delivered: counts.calls },
    events: {
      ...nothing,
      in: counts.events,
      delivered: fates.delivered,
      failed: fates.failed,
      queued: fates.waiting,
      lost: {
        ...(fates.noReceiver > 0 && { "no-receiver": fates.noReceiver }),
        ...(fates.notForwarded > 0 && { "not-forwarded": fates.notForwarded }),
      },
    },
    attempts: { ...nothing, in: counts.attempts, delivered: accepted, failed: counts.attempts - accepted },
  };
}

function sum(numbers: Iterable<number>): number {
  let total = 0;
  for (const number of numbers) total += number;
  return total;
}
