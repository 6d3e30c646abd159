import { mkdirSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { Closers, LabError, type OnProgress, version } from "../base/index.js";
import { isAboutLateness } from "../expect/index.js";
import type { EventRow } from "../gateway/index.js";
import { allowedHosts, type HttpClient, type HttpSender, type ThreadedHttpSender } from "../http/index.js";
import {
  EventFilter,
  type EventFilterOptions,
  scenarioToKeep,
  scenarioWithSecrets,
  urlToKeep,
} from "../inspect/index.js";
import { askChecks, type Pace, refuseUrl, senderEndedError, senderFor, threadedSenderFor } from "../lab/index.js";
import { AnswerComparison, commonOfRecording, lateOfRecording, readIgnoredParts } from "../report/index.js";
import { checksOf, type DeliveryInput, readHand, type Scenario } from "../scenario/index.js";
import {
  type EventSelection,
  openRecording,
  type RecordedEvent,
  Recording,
  type RecordingReader,
} from "../store/index.js";
import { receiverOf } from "./delivery-targets.js";
import { endedReceiver } from "./ended-receiver.js";
import { deletedText, recordingPath } from "./recording-path.js";
import { withFreePort } from "./free-port.js";
import { readBounds, readChecks } from "./judging-options.js";
import { ReplayRun } from "./replay-run.js";
import { replaySource } from "./replay-source.js";
import { exitCodeOf, resultOfRun } from "./result.js";
import type { RunStart } from "./run-options.js";
import type { RunOutcome } from "./run-outcome.js";
import { specialIn } from "./special-in.js";
import { startReceiverCommand } from "./start-receiver.js";

/** Options of a replay. Spans are wall milliseconds. */
export interface ReplayOptions {
  /** The URL to which all events are sent, with the scenario's headers; needed without a command. */
  readonly receiver?: string;
  /** The receiver's command: started before the replay, and stopped after it. */
  readonly command?: readonly string[];
  /** How long to wait until the receiver listens. Default 0, and 30,000 with a command. */
  readonly waitMs?: number;
  /**
   * File of the new recording; default: a new one under `recordings/`. `:memory:` keeps it in memory, `none` keeps
   * nothing.
   */
  readonly recording?: string;
  readonly overwrite?: boolean;
  /**
   * `max` (default): as fast as the receiver answers (closed model). A number: virtual milliseconds in each wall
   * millisecond, however slow the receiver is (open model). `as-recorded`: the speed of the recorded run, 1x if that
   * was not paced. `lockstep`: in the recorded order, each event when the one before is answered.
   */
  readonly pace?: "max" | "as-recorded" | "lockstep" | number;
  /**
   * `original` (default): bodies are sent byte for byte. `now`: all times in them are shifted by one span, so that the
   * last event carries the time at which it is due. Their distances stay, and none lies in the future.
   */
  readonly times?: "original" | "now";
  /** `compare`: each answer is held against the recorded one; where they differ, the exit code is 1. */
  readonly answers?: "compare";
  /** With `answers`: what is not compared, see `readIgnoredParts`. */
  readonly ignore?: readonly string[];
  /** Bounds on metrics in addition to the scenario's, such as `never-twice`. */
  readonly expect?: readonly string[];
  /** Checks that are asked at the end, such as `{ http: GET /health, status: 200 }`. Those of the scenario are not asked. */
  readonly checks?: readonly string[];
  /** Upper bound of open connections. Default: the scenario's; else 1 in lockstep, 50 at `max`, 250 with a speed. */
  readonly connections?: number;
  readonly allowHosts?: readonly string[];
  /** Time without an answer after which it ends with exit 3. Default 60,000. */
  readonly giveUpAfterMs?: number;
  /** Judges the receiver's speed also by seconds in which other programs keep this machine busy. */
  readonly judgeBusy?: boolean;
  /** Trouble on the way to the receiver: the arguments of the verb `delivery`. */
  readonly delivery?: Readonly<Record<string, unknown>>;
  /** Sends only the events that match these filters. */
  readonly filters?: EventFilterOptions;
  readonly signal?: AbortSignal;
  /** Gets the progress before and after the run: of the search for the events, and of indexing the recording. */
  readonly onProgress?: OnProgress;
  readonly onStart?: (start: Pick<RunStart, "receiver" | "isBundled" | "recording" | "progress">) => void;
}

/**
 * The scenario with the expectations that a replay can judge. `max` has no schedule, so bounds on `lateness`, which a
 * recorded paced run may have, are removed, each with a warning.
 */
function judgedAt(
  pace: ReplayPace,
  scenario: Scenario,
): { readonly scenario: Scenario; readonly warnings: readonly string[] } {
  if (typeof pace === "number") return { scenario, warnings: [] };
  const warnings = scenario.expect
    .filter(isAboutLateness)
    .map(({ text }) => `'${text}' was not judged: ${pace} keeps no schedule, --pace as-recorded does`);
  return { scenario: { ...scenario, expect: scenario.expect.filter((one) => !isAboutLateness(one)) }, warnings };
}

/**
 * Sends the events of a recording again, byte for byte, without their world. The replay is recorded like a run: events,
 * attempts, ledger, and the scenario's bounds on metrics. Retries follow the recorded preset. Replies of the receiver
 * are counted as ignored: a replay has no handsets to send them.
 *
 * Events of a type that the account does not forward are recorded and not sent, unless the filters name their type.
 *
 * @param path - of the recording, or of a field log
 * @throws StoreError if it cannot be read or the new one cannot be written; LabError for invalid options
 */
export async function replayRecording(path: string, given: ReplayOptions): Promise<RunOutcome> {
  const options = await withFreePort(given);
  const url = receiverOf({}, options);
  const isAllowed = allowedHosts(options.allowHosts ?? []);
  if (!URL.canParse(url) || !isAllowed(url)) refuseUrl(url);
  const checks = readChecks(options.checks ?? []);
  const bounds = readBounds(options.expect ?? []);
  for (const { ask } of checks) if (ask.kind === "http" && !isAllowed(new URL(ask.url, url).href)) refuseUrl(ask.url);
  // Shows the search for the events; undefined while they are sent, when the run shows its own progress.
  let searching = options.onProgress;
  const closers = new Closers();
  try {
    const opened = await replaySource(path, (progress) => searching?.(progress));
    closers.push(opened.close);
    const source = openRecording(opened.path, { onProgress: (progress) => searching?.(progress) });
    closers.push(() => source.close());
    const meta = source.meta();
    const selection = options.filters === undefined ? {} : new EventFilter(source, options.filters).selection;
    const events = eventsOf(source, selection, options);
    searching = undefined;
    const replayPace = paceOf(options.pace ?? "max", meta.options["pace"] ?? "");
    const recorded = scenarioWithSecrets(meta, path);
    const added = bounds.filter(({ text }) => recorded.expect.every((one) => one.text !== text));
    const judged = { ...recorded, expect: [...recorded.expect, ...added] };
    const { scenario, warnings } = judgedAt(replayPace, judged);
    const command = await startReceiverCommand(url, options, closers);
    const keepsNothing = options.recording === "none";
    const recording = createRecording(source, scenario, { ...options, receiver: url, path, pace: replayPace });
    closers.push(() => recording.close());
    if (keepsNothing) recording.discardRows();
    const sender = await startSender(replayPace, scenario, { ...options, url });
    closers.push(() => sender.close());
    const comparison =
      options.answers === undefined
        ? undefined
        : new AnswerComparison({
            ignored: readIgnoredParts(options.ignore ?? []),
            replyToSender: scenario.service.replyToSender,
            isImported: meta.options["importedFrom"] !== undefined,
          });
    const run = new ReplayRun({
      delivery: options.delivery && readDelivery(options.delivery, scenario),
      source,
      events,
      scenario,
      recording,
      sender,
      url,
      forwardedTypes: options.filters?.type ?? [],
      pace: runPaceOf(replayPace, scenario, sender),
      shiftMs: options.times === "now" ? shiftToNow(source, selection, replayPace) : 0,
      comparison,
      giveUpAfterMs: options.giveUpAfterMs ?? 60_000,
      judgeBusy: options.judgeBusy,
      signals: [options.signal, command?.hasEnded].filter((signal) => signal !== undefined),
    });
    if ("whenFailed" in sender) sender.whenFailed((error) => run.pipeline.end.fail(senderEndedError(error)));
    await recording.writeInThread((error) => run.pipeline.end.fail(error));
    options.onStart?.({
      receiver: url,
      isBundled: false,
      recording: keepsNothing ? "none" : recording.path,
      progress: () => run.progress(),
    });
    const played = await run.play();
    const answered = await askChecks(checks, {
      receiver: url,
      recording: keepsNothing || recording.path === ":memory:" ? null : recording.path,
      isAllowed,
      signal: options.signal,
      isAsked: !played.wasStopped,
    });
    const totals = { ...played, expectations: answered };
    const { delivery, measurements, thresholds } = run.pipeline;
    const ended = await endedReceiver({ command, url, isBundled: false, scenario, recording, keepsSecrets: false });
    const parts = {
      scenario,
      totals: {
        ...totals,
        warnings: [...totals.warnings, ...warnings, ...opened.warnings, ...uncheckedTexts(scenario)],
      },
      delivery,
      recording: keepsNothing ? null : recording.path,
      failures: [
        ...(recording.isDeleted ? [deletedText(recording.path)] : []),
        ...(ended.failure === undefined ? [] : [ended.failure]),
      ],
      url,
      isBundled: false,
      pace: typeof replayPace === "number" ? ("paced" as const) : replayPace,
      measurements,
      thresholds,
      receiverSteps: 0,
      receiverEnd: ended.receiverEnd,
      replayed: {
        spacing: run.spacing.result(),
        ...comparison?.result(measurements.host.leftOut()),
      },
      reader: () => recording.reader(),
      specialOf: specialIn(recording, measurements, ended.receiverEnd === undefined ? null : url),
      commonOf: commonOfRecording(recording.reader(), scenario.cast.timezone),
      late: lateOfRecording(recording.reader()),
    };
    const result = resultOfRun(parts);
    const end = { digest: totals.digest, resultJson: JSON.stringify(result), endedWallMs: Date.now() };
    recording.finish(end, options.onProgress);
    if (recording.isDeleted) recording.restore();
    return { result, exitCode: exitCodeOf(result, parts) };
  } finally {
    await closers.close();
  }
}

/** Says that the checks of the recorded scenario were not asked: a recording may come from somebody else. */
function uncheckedTexts(scenario: Scenario): string[] {
  const { length } = checksOf(scenario);
  if (length === 0) return [];
  const which = length === 1 ? "the check" : `the ${length} checks`;
  return [
    `${which} of the recorded scenario ${length === 1 ? "was" : "were"} not asked: a replay asks those of --check`,
  ];
}

/** The trouble that is asked for. @throws LabError if it is not sound */
function readDelivery(args: Readonly<Record<string, unknown>>, { cast }: Scenario): DeliveryInput {
  const { input, problems } = readHand("delivery", args, cast);
  if (input?.to === "delivery") return input.input;
  const [problem] = problems;
  const where = problem?.path === "" || problem === undefined ? "" : ` ${problem.path}:`;
  throw new LabError("bad-options", `--delivery${where} ${problem?.message ?? "cannot be understood"}`, {
    hint: problem?.hint ?? "handset do delivery --help lists what can be asked for",
  });
}

/** The events to send, with their attempts if the answers are compared. @throws LabError if the filters match none */
function eventsOf(
  source: RecordingReader,
  selection: EventSelection,
  { filters, answers }: Pick<ReplayOptions, "filters" | "answers">,
): Iterator<EventRow | RecordedEvent> {
  const events: Generator<EventRow | RecordedEvent> =
    answers === undefined ? source.eventRows(selection) : source.events(selection);
  if (filters === undefined) return events;
  const first = events.next();
  if (first.done !== true) return withFirst(first.value, events);
  throw new LabError("bad-options", "no event of the recording matches the filters", {
    hint: "`handset events` with the same filters shows which do",
  });
}

function* withFirst<T extends EventRow>(first: T, others: Iterable<T>): Generator<T> {
  yield first;
  yield* others;
}

/** The pace of a replay; a number: virtual milliseconds in each wall millisecond. */
type ReplayPace = "max" | "lockstep" | number;

function paceOf(pace: NonNullable<ReplayOptions["pace"]>, recorded: string): ReplayPace {
  if (pace === "max" || pace === "lockstep") return pace;
  if (pace === "as-recorded") {
    const speed = Number(/^(\d+(?:\.\d+)?)x?$/.exec(recorded)?.[1]);
    return speed > 0 ? speed : 1;
  }
  if (pace > 0) return pace;
  throw new LabError(
    "bad-options",
    `the pace must be max, lockstep, as-recorded, or a speed such as 1x or 60x, got '${pace}'`,
  );
}

function runPaceOf(pace: ReplayPace, scenario: Scenario, { connections }: HttpSender): Pace {
  if (pace === "max") return { kind: "max", connections };
  return pace === "lockstep" ? { kind: "lockstep", lookaheadMs: scenario.lookaheadMs } : { kind: "paced", speed: pace };
}

/**
 * With a speed an event leaves on time however many are unanswered, so a stall of the receiver must not use up the
 * connections: 250 last for 50 ms at 5,000 events/s. Many more overflow the listen backlog of a stalled receiver: the system then
 * repeats the connection after a second.
 */
const PACED_CONNECTIONS = 250;

/** In lockstep one connection sends one event after the other, so the order in which the receiver gets them is fixed. */
async function startSender(
  pace: ReplayPace,
  scenario: Scenario,
  { url, allowHosts, connections }: { readonly url: string } & Pick<ReplayOptions, "allowHosts" | "connections">,
): Promise<HttpClient | ThreadedHttpSender> {
  if (pace === "lockstep") return senderFor(scenario, { url, allowHosts, connections: connections ?? 1 });
  const keepsTime = pace !== "max";
  const most = connections ?? scenario.receiver?.connections ?? (keepsTime ? PACED_CONNECTIONS : undefined);
  return threadedSenderFor(scenario, { url, allowHosts, connections: most, keepsTime });
}

/** The shift of times by which the last event carries the time at which it is due: milliseconds. */
function shiftToNow(source: RecordingReader, selection: EventSelection, pace: ReplayPace): number {
  const first = source.eventRows(selection).next();
  const firstMs = first.done === true ? 0 : first.value.atMs;
  const lastMs = Math.min(source.lastAtMs(), selection.toMs ?? Infinity);
  const wallMs = typeof pace === "number" ? (lastMs - firstMs) / pace : 0;
  return Math.round(Date.now() + wallMs - (source.meta().startsAtMs + lastMs));
}

/** Creates the replay's recording, with the recorded channels and the replay's receiver as their delivery URL. */
function createRecording(
  source: RecordingReader,
  scenario: Scenario,
  options: ReplayOptions & { readonly receiver: string; readonly path: string; readonly pace: ReplayPace },
): Recording {
  const path = options.recording === "none" ? ":memory:" : recordingPath(scenario, options.recording);
  if (path !== ":memory:") mkdirSync(dirname(resolve(path)), { recursive: true });
  const kept = scenarioToKeep(scenario, { keepsSecrets: false });
  const receiver = urlToKeep(options.receiver, { keepsSecrets: false });
  const recording = Recording.create(
    path,
    {
      ...source.meta(),
      scenario: kept.source,
      version,
      startedWallMs: Date.now(),
      options: {
        receiver,
        pace: String(options.pace),
        replayOf: options.path,
        ...kept.options,
      },
    },
    { overwrite: options.overwrite ?? false },
  );
  const named = options.filters?.type ?? [];
  for (const channel of source.channels()) {
    const { forwards } = channel;
    const more = forwards === undefined ? {} : { forwards: [...new Set([...forwards, ...named])] };
    recording.channel({ ...channel, ...more, url: receiver });
  }
  return recording;
}
