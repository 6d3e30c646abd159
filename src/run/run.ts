import { setTimeout as sleep } from "node:timers/promises";
import { Closers, LabError } from "../base/index.js";
import type { HttpClient, ThreadedHttpSender } from "../http/index.js";
import {
  askCheck,
  drainLimitMs,
  Lab,
  PLAY_AHEAD_MS,
  RunHands,
  senderEndedError,
  senderFor,
  threadedSenderFor,
} from "../lab/index.js";
import type { Scenario } from "../scenario/index.js";
import { commonOfRecording, lateOfRecording, type ReceiverEnd } from "../report/index.js";
import { accountsOf, loadSources } from "../control/index.js";
import { offerMetrics } from "../serve/index.js";
import { FleetPart, keptStart, START_KEY } from "./barrier/fleet-part.js";
import { beginRecording, type RunRecording } from "./begin-recording.js";
import { endedReceiver } from "./ended-receiver.js";
import { specialIn } from "./special-in.js";
import { PART_KEY, recordOfPart, resultOfPart } from "./part/part-result.js";
import { withFreePort } from "./free-port.js";
import { planRun, type RunPlan } from "./plan-run.js";
import { deletedText } from "./recording-path.js";
import { exitCodeOf, resultOfRun } from "./result.js";
import type { RunOptions } from "./run-options.js";
import type { RunOutcome } from "./run-outcome.js";
import { RunWatch } from "./run-watch.js";
import { watchSize } from "./size-bound.js";
import { type StartedReceiver, startReceiverOrCommand } from "./start-receiver.js";

/** Default time for which the API must be idle before a lockstep clock advances. Wall milliseconds. */
const SETTLE_MS = 100;

/**
 * In lockstep, the first rows, about a second's worth, are written by this thread. Starting a thread and waking it
 * takes a fifth of a short run.
 */
const ROWS_WITHOUT_THREAD = 10_000;

/** The open resources of a run before its lab is made, in the order of opening. */
interface OpenRun {
  readonly plan: RunPlan;
  readonly options: RunOptions;
  readonly receiver: StartedReceiver;
  readonly recorded: RunRecording;
  readonly sender: HttpClient | ThreadedHttpSender | undefined;
  /** Present when the run is a part of a fleet. */
  readonly part: FleetPart | undefined;
}

/**
 * Plays a scenario: starts the receiver, opens the recording, plays the `Lab`, and closes everything.
 *
 * @throws LabError for options and environments that do not allow a run; StoreError if the recording cannot be written
 */
export async function runScenario(given: Scenario, givenOptions: RunOptions = {}): Promise<RunOutcome> {
  const options = await withFreePort(withDataOf(given, givenOptions));
  refuseToWait(options);
  const plan = await planRun(given, options);
  if (plan.shard === undefined) return playPlan(plan, options);
  const { part, scenario } = await FleetPart.open(given, plan.shard, options);
  try {
    const outcome = await playPlan(scenario === given ? plan : await planRun(scenario, options), options, part);
    part.end(outcome);
    return outcome;
  } catch (error) {
    await part.fail(error);
    throw error;
  }
}

/** @throws LabError `bad-options` if there are no other parts to wait for, or two starts */
function refuseToWait({ startWhenAllReady: wait, shard, startAtMs }: RunOptions): void {
  if (wait === undefined) return;
  if (shard === undefined) {
    throw new LabError("bad-options", "--start-when-all-ready waits for the other parts of a fleet: add --shard");
  }
  if (startAtMs === undefined) return;
  throw new LabError("bad-options", "--start-when-all-ready does not work with --start-at: both give the start", {
    hint: "leave one of them out",
  });
}

/** Plays a plan. @param part - present when the run is a part of a fleet */
async function playPlan(plan: RunPlan, options: RunOptions, part?: FleetPart): Promise<RunOutcome> {
  const closers = new Closers();
  try {
    const receiver = await startReceiverOrCommand(plan, options, closers);
    const recorded = beginRecording(plan, options, receiver, closers);
    const sender = await startSender(plan, options, receiver.url);
    if (sender !== undefined) closers.push(() => sender.close());
    const run: OpenRun = { plan, options, receiver, recorded, sender, part };
    const lab = await makeLab(run);
    const watch = new RunWatch(lab, { pace: plan.pace.kind, receiverSteps: recorded.receiverSteps });
    offerToApi(run, lab, watch);
    const metrics = options.metrics && (await offerMetrics(() => lab, options.metrics));
    if (metrics !== undefined) closers.push(() => metrics.close());
    const failures = stopAtFailures(lab, run, closers);
    const hands = new RunHands(lab, plan.scenario);
    const { api, isBundled, url } = receiver;
    options.onStart?.({
      receiver: url ?? "none",
      isBundled,
      recording: plan.keepsNothing ? "none" : recorded.path,
      api: api && { url: api.url, token: api.token, labToken: api.labToken },
      metrics: metrics?.url,
      progress: () => lab.progress(),
      hands,
    });
    const totals = await lab.play().finally(() => hands.end());
    await part?.endPlay();
    const ended = await endedReceiver({
      ...receiver,
      scenario: plan.scenario,
      recording: recorded.recording,
      keepsSecrets: options.keepSecrets === true,
      tokens: receiver.api && [receiver.api.token, receiver.api.labToken],
    });
    const outcome = finishRun(run, lab, {
      totals,
      failures: ended.failure === undefined ? failures : [...failures, ended.failure],
      receiverEnd: ended.receiverEnd,
    });
    if (options.console !== undefined && api !== undefined) {
      watch.end(outcome.result);
      await options.console.whenOver(outcome, (file) => watch.showReport(api.offerReport(file)));
    }
    return outcome;
  } finally {
    await closers.close();
  }
}

/** The options with the account files of the scenario's `data` before the others. A part of a fleet reads none. */
function withDataOf(scenario: Scenario, options: RunOptions): RunOptions {
  if (scenario.data === undefined || options.shard !== undefined) return options;
  return { ...options, accounts: [...accountsOf(scenario), ...(options.accounts ?? [])] };
}

/**
 * Starts the HTTP sender: in a thread, except in lockstep, where the clock waits for each answer and a thread only
 * adds latency.
 */
async function startSender(
  { scenario, pace }: RunPlan,
  { allowHosts, connections }: RunOptions,
  url: string | null,
): Promise<HttpClient | ThreadedHttpSender | undefined> {
  if (url === null) return undefined;
  const options = { url, allowHosts, connections };
  return pace.kind === "lockstep" ? senderFor(scenario, options) : threadedSenderFor(scenario, options);
}

/** Makes the lab, and loads its account files. */
async function makeLab({ plan, options, receiver, recorded, sender, part }: OpenRun): Promise<Lab> {
  const { scenario, pace, shard, isAllowed, isRead } = plan;
  const { api, url, command } = receiver;
  const { recording, recordedRun } = recorded;
  const lab = new Lab({
    scenario,
    recording,
    resumed: recordedRun && { killedRun: recordedRun, roundTrips: recordedRun.roundTrips() },
    url,
    pace,
    ...(sender !== undefined && pace.kind === "paced" && { playAheadMs: PLAY_AHEAD_MS }),
    drainMs: drainLimitMs(scenario, pace),
    beforeClose: api && (() => (options.console === undefined ? api.close() : api.endRun())),
    fakes: plan.fakes,
    giveUpAfterMs: options.giveUpAfterMs ?? (receiver.isBundled ? Number.POSITIVE_INFINITY : 60_000),
    isAllowed,
    served: api && {},
    hasAccount: isRead,
    onHappening: api?.happened,
    ...settlingOf(plan, options),
    sender,
    receiver: receiver.switch,
    askCheck: (check) =>
      askCheck(check, {
        receiver: url,
        recording: plan.keepsNothing || recorded.path === ":memory:" ? null : recorded.path,
        isAllowed,
        signal: options.signal,
      }),
    part: shard,
    fleet: options.fleet,
    judgeBusy: options.judgeBusy,
    beforeStart: async () => {
      await options.beforeStart?.();
      const { startAtMs } = options;
      const ends = [options.signal, command?.hasEnded].filter((signal) => signal !== undefined);
      const signal = AbortSignal.any(ends);
      const late = startAtMs === undefined ? undefined : await waitForStart({ startAtMs, signal });
      if (late !== undefined) lab.warn(late);
      await part?.begin(lab, { recording, isSending: url !== null && !receiver.isBundled, signal });
    },
  });
  if (sender !== undefined && "whenFailed" in sender) sender.whenFailed((error) => lab.fail(senderEndedError(error)));
  const { problems } = await loadSources(options.accounts ?? [], () => lab);
  for (const problem of problems) lab.warn(problem);
  if (isRead && api === undefined) recording.deferSessions();
  // A thread writes the rows if the run does not read them while it plays.
  const afterRows = pace.kind === "lockstep" ? ROWS_WITHOUT_THREAD : 0;
  if (!isRead) await recording.writeInThread((error) => lab.fail(error), { afterRows });
  return lab;
}

/** Lets the API, if there is one, answer requests from now on. */
function offerToApi({ receiver, recorded }: OpenRun, lab: Lab, watch: RunWatch): void {
  receiver.api?.serveLab(lab, recorded.recording, {
    receiver: receiver.url,
    isBundled: receiver.isBundled,
    file: recorded.path === ":memory:" ? null : recorded.path,
    watch,
  });
}

/** The idle time of the API for which a lockstep clock waits; default `SETTLE_MS`. */
function settlingOf({ pace }: RunPlan, { api, settleMs }: RunOptions): { settleMs?: number } {
  if (settleMs !== undefined) return { settleMs };
  return api !== undefined && pace.kind === "lockstep" ? { settleMs: SETTLE_MS } : {};
}

/**
 * Stops the lab when the caller's signal aborts, the recording reaches its size, or the receiver's command ends. A
 * signal leaves the recording of a part unfinished, so that it can be resumed.
 *
 * @returns the failures so far, in sentences: the list grows while the run plays
 */
function stopAtFailures(lab: Lab, { options, receiver, recorded, part }: OpenRun, closers: Closers): readonly string[] {
  const failures: string[] = [];
  const stop = (): void => lab.stop();
  const interrupt = (): void => {
    const error = part?.stopError;
    if (error === undefined) lab.stop();
    else lab.fail(error);
  };
  const fail = (why: string): void => {
    failures.push(why);
    lab.stop();
  };
  options.signal?.addEventListener("abort", interrupt, { once: true });
  if (options.signal?.aborted === true) interrupt();
  closers.push(() => options.signal?.removeEventListener("abort", interrupt));
  closers.push(watchSize(recorded.recording, options.recordingBytesMax, fail));
  const hasEnded = receiver.command?.hasEnded;
  hasEnded?.addEventListener("abort", stop, { once: true });
  if (hasEnded?.aborted === true) stop();
  return failures;
}

/** Records the result of a run that has been played, and returns it. */
function finishRun(
  { plan, options, receiver, recorded }: OpenRun,
  lab: Lab,
  played: {
    readonly totals: Awaited<ReturnType<Lab["play"]>>;
    readonly failures: readonly string[];
    readonly receiverEnd: ReceiverEnd | undefined;
  },
): RunOutcome {
  const { scenario, pace, shard, keepsNothing } = plan;
  const { recording, path, receiverSteps } = recorded;
  const { totals } = played;
  const { delivery, measurements, thresholds } = lab.pipeline;
  const parts = {
    scenario,
    totals,
    delivery,
    measurements,
    thresholds,
    recording: keepsNothing ? null : path,
    failures: recording.isDeleted ? [...played.failures, deletedText(path)] : played.failures,
    url: receiver.url,
    isBundled: receiver.isBundled,
    pace: pace.kind,
    receiverSteps,
    receiverEnd: played.receiverEnd,
    specialOf: specialIn(recording, measurements, played.receiverEnd === undefined ? null : receiver.url),
    reader: () => recording.reader(),
    commonOf: commonOfRecording(recording.reader(), scenario.cast.timezone),
    late: lateOfRecording(recording.reader()),
  };
  const whole = resultOfRun(parts);
  const { result, exitCode } =
    shard === undefined
      ? { result: whole, exitCode: exitCodeOf(whole, parts) }
      : resultOfPart(whole, parts, { shard, start: keptStart(recording.kept(START_KEY)) });
  if (shard !== undefined) recording.keep(PART_KEY, JSON.stringify(recordOfPart(parts, shard)));
  const end = { digest: totals.digest, resultJson: JSON.stringify(result), endedWallMs: Date.now() };
  recording.finish(end, options.onProgress);
  if (recording.isDeleted) recording.restore();
  return { result, exitCode };
}

/**
 * Interval at which the host's clock is read while waiting, because it may be adjusted meanwhile. Wall milliseconds.
 */
const CHECK_MS = 500;

/** A start that is later than this gets a warning: the clocks of one cluster differ less. Wall milliseconds. */
const LATE_MS = 100;

/**
 * Waits until the start of a run by the host's clock.
 *
 * @param options - `startAtMs`: milliseconds since 1970; `signal`: ends the wait
 * @returns a warning if the start was in the past; undefined when it was not
 */
async function waitForStart({
  startAtMs,
  signal,
}: {
  readonly startAtMs: number;
  readonly signal: AbortSignal;
}): Promise<string | undefined> {
  const lateMs = Date.now() - startAtMs;
  if (lateMs > LATE_MS) {
    return (
      `the run began ${(lateMs / 1000).toFixed(1)} s after --start-at: all its events are that much later than those of ` +
      "runs that began in time"
    );
  }
  for (;;) {
    const leftMs = startAtMs - Date.now();
    if (leftMs <= 0 || signal.aborted) return undefined;
    await sleep(Math.min(leftMs, CHECK_MS), undefined, { signal }).catch(() => undefined);
  }
}
