import { gaps, type LedgerReport, queued } from "../ledger/index.js";
import type { AttemptOutcome, Outage } from "../measure/index.js";
import { attemptsAllowed } from "../wire/index.js";
import { digestOfRecording, type RecordingReader, storeError } from "../store/index.js";
import { fellBehindText, loadModelOf, measureRecording, measuresOf } from "./measures.js";
import type { RepliesResult, RunResult } from "./result.js";
import { commonOfRecording, lateOfRecording } from "./common/index.js";
import { specialUnderWay } from "./special/under-way.js";
import { receiverStepCount } from "./story-outline.js";
import { isStoredResult } from "./stored-result.js";

/**
 * The result of a recorded run: the stored one, or the one computed from the tables when the run still plays or was
 * killed.
 *
 * @throws StoreError when the recording cannot be read
 */
export function resultOf(recording: RecordingReader): RunResult {
  const end = recording.end();
  if (end === undefined) return resultOfTables(recording);
  const kept = JSON.parse(end.resultJson) as RunResult;
  if (!isStoredResult(kept)) throw storeError("recording-edited", recording.path, "read");
  return { ...kept, recording: recording.path };
}

/** The outages of the receiver that a run has found; empty before the run has ended. */
export function recordedOutages(recording: RecordingReader): readonly Outage[] {
  const end = recording.end();
  const kept: unknown = end === undefined ? undefined : JSON.parse(end.resultJson);
  return isStoredResult(kept) ? ((kept as RunResult).outages ?? []) : [];
}

/**
 * Computes a result from the tables. Copies of texts and calls, losses in the air and expectations are missing: only a
 * live run knows them.
 */
function resultOfTables(recording: RecordingReader): RunResult {
  const meta = recording.meta();
  const ledger = ledgerOf(recording);
  const events = recording.eventsByType();
  const { meter, ...measured } = measureRecording(recording);
  const { outages } = measured.behaviour;
  const measures = measuresOf(meter, {
    model: loadModelOf(recording),
    ...measured,
    receiverSteps: receiverStepCount(recording),
    specialOf: specialUnderWay(recording, { outages: outages.list(), breaking: outages.breakingEvents() }),
    commonOf: commonOfRecording(recording, "UTC"),
    late: lateOfRecording(recording),
    isPlaying: true,
  });
  const { delivery, service, lateness } = meter.total();
  const behind = fellBehindText(meter.schedule.punctuality());
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
    problems: ["the run has not ended: it is still playing, or it was cut off; the numbers are those recorded so far"],
    warnings: behind === undefined ? undefined : [behind],
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

/** The ledger as far as the service's tables show it: texts in transit to or from a phone are missing. */
function ledgerOf(recording: RecordingReader): LedgerReport {
  const counts = recording.counts();
  const messages = recording.messagesByStatus();
  const copies = recording.copiesByCause();
  const fates = recording.eventFates(attemptsAllowed(recording.meta().preset));
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
      in: counts.events - sum(copies.values()),
      copies: Object.fromEntries(copies),
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
