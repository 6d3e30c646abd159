import type { OnProgress } from "../base/index.js";
import { sumObservations, judgeStory, type Observation, Thresholds } from "../expect/index.js";
import { scenarioOf } from "../inspect/index.js";
import type { AccountReport, LedgerReport } from "../ledger/index.js";
import { type Meter, shiftOutage } from "../measure/index.js";
import {
  commonOfRecording,
  lateOfRecording,
  measureRecording,
  type ReceiverBehaviour,
  type RunResult,
  specialUnderWay,
} from "../report/index.js";
import { type DeliveryCounts, exitCodeOf, type PartRecord, resultOfRun } from "../run/index.js";
import { joinOutages } from "./joined-outages.js";
import { digestOfRecording, openRecording, Recording, type RecordingReader } from "../store/index.js";

/** A part with the record and result from its recording. */
export interface PlayedPart {
  readonly record: PartRecord;
  readonly result: RunResult;
}

/**
 * Finishes the joined recording of a fleet. Its result combines the parts' ledgers and counts with the latencies of all
 * attempts and the digest of all events. It evaluates the scenario's expectations for the whole fleet.
 *
 * @param path - of the joined recording
 * @throws StoreError; LabError when this version does not understand the scenario in it
 */
export function finishJoined(
  path: string,
  parts: readonly PlayedPart[],
  { onProgress }: { readonly onProgress?: OnProgress | undefined } = {},
): { readonly result: RunResult; readonly exitCode: 0 | 1 | 3 } {
  const reader = openRecording(path, { onProgress });
  let run: Parameters<typeof resultOfRun>[0];
  let whole: RunResult;
  try {
    // Findings read the recording while the result is computed.
    run = { ...joinedRun(reader, parts, path), recording: path, reader: () => reader };
    whole = resultOfRun(run);
  } finally {
    reader.close();
  }
  const crossings = parts.flatMap(({ record }) => (record.crossing === null ? [] : withPart(record, record.crossing)));
  const result: RunResult = { ...whole, problems: [...whole.problems, ...crossings] };
  const recording = Recording.reopen(path);
  try {
    const end = { digest: result.digest, resultJson: JSON.stringify(result), endedWallMs: Date.now() };
    recording.finish(end, onProgress);
  } finally {
    recording.close();
  }
  const exitCode = exitCodeOf(result, run);
  return { result, exitCode: crossings.length > 0 && exitCode === 0 ? 1 : exitCode };
}

function joinedRun(
  reader: RecordingReader,
  parts: readonly PlayedPart[],
  path: string,
): Omit<Parameters<typeof resultOfRun>[0], "recording"> {
  const meta = reader.meta();
  const scenario = scenarioOf(meta, path);
  const records = parts.map(({ record }) => record);
  const results = parts.map(({ result }) => result);
  const reachedMs = Math.min(...results.map(({ virtualMs }) => virtualMs));
  const { pace, receiver } = meta.options;
  const { meter, texts, behaviour: measured, host } = measureRecording(reader);
  const behaviour = { ...measured, outages: outagesOf(results, { meter, outages: measured.outages }) };
  const forgotten = sum(results.map(({ roundTrips }) => roundTrips?.forgotten ?? 0));
  const events = new Map(Object.entries(sumOf(results.map((result) => result.events))));
  const replies = {
    valid: sum(results.map((result) => result.replies.valid)),
    ignored: sum(results.map((result) => result.replies.ignored)),
    reasons: new Map(Object.entries(sumOf(results.map((result) => result.replies.reasons)))),
  };
  return {
    scenario,
    pace: pace === "lockstep" || pace === "max" ? pace : "paced",
    measurements: { meter, trips: { texts, forgotten }, behaviour, host },
    thresholds: new Thresholds({
      expectations: scenario.expect,
      meter,
      counts: () => ({
        events,
        replies,
        unanswered: texts - meter.total().roundTrip.count,
        doubles: behaviour.doubles.count,
        reordered: behaviour.order.count,
      }),
    }),
    isBundled: false,
    url: receiver === undefined || receiver === "none" ? null : receiver,
    failures: records.flatMap((record) => record.failures.map((failure) => withPart(record, failure))),
    delivery: deliveredBy(parts),
    specialOf: specialUnderWay(reader, {
      outages: behaviour.outages.list(),
      breaking: behaviour.outages.breakingEvents(),
    }),
    commonOf: commonOfRecording(reader, scenario.cast.timezone),
    late: lateOfRecording(reader),
    receiverSteps: Math.min(...records.map(({ receiverSteps = 0 }) => receiverSteps)),
    totals: {
      reachedMs,
      digest: digestOfRecording(reader),
      events,
      replies,
      ledger: ledgerOf(results.map(({ ledger }) => ledger)),
      expectations: judgeStory(scenario.story, observationsOf(records), reachedMs),
      observations: observationsOf(records),
      blocked: results.flatMap(({ blocked = [] }) => blocked).toSorted((a, b) => b.waiting - a.waiting),
      crossing: undefined,
      wallMs: Math.max(reader.wallMs(), ...results.map(({ wallMs }) => wallMs)),
      hasGivenUp: records.some(({ hasGivenUp }) => hasGivenUp),
      wasStopped: records.some(({ wasStopped }) => wasStopped),
      stoppedBy: undefined,
      warnings: warningsOf(records),
    },
  };
}

/** Outages joined from the parts' results: each part has its own clock, so the joined attempts do not show them. */
function outagesOf(
  results: readonly RunResult[],
  { meter, outages }: { readonly meter: Meter; readonly outages: ReceiverBehaviour["outages"] },
): ReceiverBehaviour["outages"] {
  const answers = outages.answers();
  const { beginsMs } = meter.timeline;
  const joined = joinOutages(
    results.map((result) => result.outages ?? []),
    (receiver) => answers.get(receiver)?.count ?? 0,
  ).map((outage) => shiftOutage(outage, beginsMs));
  return { list: () => [...joined], answers: () => answers, breakingEvents: () => outages.breakingEvents() };
}

function deliveredBy(parts: readonly PlayedPart[]): DeliveryCounts {
  const none = { accepted: 0, retried: 0, refused: 0, failed: 0, timeout: 0, connection: 0 };
  return {
    counts: parts.length === 0 ? none : sumOf(parts.map(({ result }) => result.attempts)),
    hadConnection: parts.some(({ record }) => record.hadConnection),
  };
}

/** Warnings that all parts share, each once; then the others with the name of their part. */
function warningsOf(records: readonly PartRecord[]): string[] {
  const all = records.flatMap(({ warnings }) => warnings);
  const common = new Set(all.filter((one) => records.every(({ warnings }) => warnings.includes(one))));
  return [
    ...common,
    ...records.flatMap((record) =>
      record.warnings.filter((one) => !common.has(one)).map((warning) => withPart(record, warning)),
    ),
  ];
}

function withPart({ shard }: PartRecord, sentence: string): string {
  return `part ${shard.index} of ${shard.count}: ${sentence}`;
}

function observationsOf(records: readonly PartRecord[]): Observation[] {
  const steps = Math.max(0, ...records.map(({ sightings }) => sightings.length));
  return Array.from({ length: steps }, (_, step) => {
    return sumObservations(records.flatMap(({ sightings }) => sightings[step] ?? []));
  });
}

function ledgerOf(ledgers: readonly LedgerReport[]): LedgerReport {
  const account = (name: keyof LedgerReport): AccountReport => {
    const books = ledgers.map((ledger) => ledger[name]);
    const numbers = books.map(({ copies: _copies, lost: _lost, troubled: _troubled, ...rest }) => rest);
    const troubled = byName(sumOf(books.map((one) => one.troubled ?? {})));
    return {
      ...(sumOf(numbers) as Omit<AccountReport, "copies" | "lost" | "troubled">),
      ...(Object.keys(troubled).length > 0 && { troubled }),
      copies: byName(sumOf(books.map(({ copies }) => copies))),
      lost: byName(sumOf(books.map(({ lost }) => lost))),
    };
  };
  return { texts: account("texts"), calls: account("calls"), events: account("events"), attempts: account("attempts") };
}

/** Sums numbers by name. */
function sumOf<T extends Readonly<Record<string, number>>>(all: readonly T[]): T {
  const sums: Record<string, number> = {};
  for (const one of all) for (const [name, count] of Object.entries(one)) sums[name] = (sums[name] ?? 0) + count;
  return sums as T;
}

function byName(sums: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(sums).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0);
}
