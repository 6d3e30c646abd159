import { mkdirSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { LabError, version } from "../base/index.js";
import { abortingWhereItCan, refuseLateness, refuseWallTime } from "../expect/index.js";
import { allowedHosts, DEFAULT_CONNECTIONS, type HttpClient, type ThreadedHttpSender } from "../http/index.js";
import { scenarioToKeep, urlToKeep } from "../inspect/index.js";
import {
  drainLimitMs,
  findSwitch,
  Lab,
  LEAD_MS,
  type Pace,
  prepareScenarioFakes,
  type ReceiverSwitch,
  refuseUrl,
  RunHands,
  senderFor,
  type SenderForOptions,
  senderGone,
  threadedSenderFor,
  waitForReceiver,
} from "../lab/index.js";
import { startReceiver } from "../receiver/index.js";
import { RECEIVER_STEPS_KEY, type RunResult, STORY_KEY } from "../report/index.js";
import type { Scenario } from "../scenario/index.js";
import { loadSource, OfferedApi, offerMetrics } from "../serve/index.js";
import { lockRecording, openRecording, Recording } from "../store/index.js";
import { type RunningCommand, startCommand } from "./command.js";
import { PART, recordOfPart, resultOfPart } from "./part/part-result.js";
import { refuseToPart } from "./part/refuse-to-part.js";
import { checkPart, partText } from "./part/part-option.js";
import { deletedText, recordingPath } from "./recording-path.js";
import { exitCodeOf, resultOfRun } from "./result.js";
import { resumeWith } from "./resume.js";
import type { RunOptions } from "./run-options.js";
import { boundSize } from "./size-bound.js";
import { waitForStart } from "./start-at.js";
import { receiverStepsOf, storyInWords } from "./story-words.js";

/** How long the API is to be idle before the clock goes on, where nothing else was asked for: wall milliseconds. */
const SETTLE_MS = 100;

export interface RunOutcome {
  readonly result: RunResult;
  /** 0 all held, 1 an expectation or the ledger did not, 3 the environment (SCENARIO.md, "End of a run"). */
  readonly exitCode: 0 | 1 | 3;
}

/**
 * Plays a scenario: starts what is to be started, joins the rooms in a `Lab`, and ends everything again.
 *
 * @throws LabError for options and environments that do not allow a run; StoreError when the disk does not take it
 */
export async function runScenario(given: Scenario, options: RunOptions = {}): Promise<RunOutcome> {
  const begun = beginningAt(given, options);
  const scenario = options.abort === true ? { ...begun, expect: begun.expect.map(abortingWhereItCan) } : begun;
  const fakes = await prepareScenarioFakes(scenario);
  const pace = paceOf(scenario, options);
  if (pace.kind === "lockstep") refuseWallTime(scenario.expect);
  if (pace.kind === "max") refuseLateness(scenario.expect);
  const shard = options.shard && checkPart(options.shard);
  const isAllowed = allowedHosts(options.allowHosts ?? []);
  const wanted = options.receiver ?? scenario.receiver?.url ?? "bundled";
  for (const url of urlsOf(scenario, wanted)) if (!isAllowed(url)) refuseUrl(url);
  if (shard !== undefined) refuseToPart(scenario, { ...options, shard, wanted, pace });

  const closers: (() => Promise<void> | void)[] = [];
  try {
    const api = options.api && (await OfferedApi.open(options.api, { scenario, isAllowed }));
    if (api !== undefined) closers.push(() => api.close());
    let command: RunningCommand | undefined;
    if (options.command?.[0] !== undefined) {
      const environment: Record<string, string> =
        api === undefined ? {} : { HANDSET_API_URL: api.url, HANDSET_API_TOKEN: api.token };
      command = await startCommand(options.command as [string, ...string[]], environment);
      closers.push(() => command?.stop());
    }
    const bundled = wanted === "bundled" ? await startReceiver() : undefined;
    if (bundled !== undefined) closers.push(() => bundled.close());
    const url = bundled?.url ?? (wanted === "none" ? null : wanted);

    const waitMs = options.waitMs ?? (command === undefined ? 0 : 30_000);
    if (url !== null && waitMs > 0) {
      const signals = [command?.hasEnded, options.signal].filter((signal) => signal !== undefined);
      await waitForReceiver(url, waitMs, AbortSignal.any(signals));
      command?.hasEnded.throwIfAborted();
    }
    const receiver: ReceiverSwitch | undefined = bundled ?? (await switchFor(scenario, url));

    const keepsNothing = options.recording === "none";
    const path = keepsNothing ? ":memory:" : recordingPath(scenario, options.recording);
    if (path !== ":memory:") mkdirSync(dirname(resolve(path)), { recursive: true });
    if (path !== ":memory:") closers.push(lockRecording(path));
    const recording =
      options.isResumed === true
        ? Recording.reopen(path)
        : beginRecording(path, scenario, { ...options, ...(shard !== undefined && { shard }) }, url);
    closers.push(() => recording.close());
    if (options.keepSecrets !== true) recording.dropSecrets();
    recording.keep(STORY_KEY, JSON.stringify(storyInWords(scenario.story)));
    const receiverSteps = receiverStepsOf(scenario, receiver);
    recording.keep(RECEIVER_STEPS_KEY, String(receiverSteps));

    const { allowHosts, connections } = options;
    const sender = url === null ? undefined : await begunSender(scenario, pace, { url, allowHosts, connections });
    if (sender !== undefined) closers.push(() => sender.close());
    // Who reads the account needs its rows: they are kept in memory while the run plays.
    const isRead = api !== undefined || (options.accounts ?? []).length > 0;
    if (keepsNothing && !isRead) recording.discardRows();
    if (options.isResumed === true) recording.reexecute();
    const past = options.isResumed === true ? openRecording(path) : undefined;
    if (past !== undefined) closers.push(() => past.close());
    const lab = new Lab({
      scenario,
      recording,
      ...(past !== undefined && { past }),
      url,
      pace,
      ...(sender !== undefined && pace.kind === "paced" && { leadMs: LEAD_MS }),
      drainMs: drainLimitMs(scenario, pace),
      ...(api !== undefined && { closes: () => api.close() }),
      fakes,
      giveUpAfterMs: options.giveUpAfterMs ?? 60_000,
      isAllowed,
      isServed: api !== undefined,
      ...(api !== undefined && { happened: api.happened }),
      ...settlingOf(pace, options),
      ...(sender !== undefined && { sender }),
      ...(receiver !== undefined && { receiver }),
      ...(shard !== undefined && { part: shard }),
      begins: async () => {
        await options.begins?.();
        const { startAtMs } = options;
        if (startAtMs === undefined) return;
        const ends = [options.signal, command?.hasEnded].filter((signal) => signal !== undefined);
        const late = await waitForStart({ startAtMs, signal: AbortSignal.any(ends) });
        if (late !== undefined) lab.warn(late);
      },
    });
    if (sender !== undefined && "whenFailed" in sender) sender.whenFailed((error) => lab.fail(senderGone(error)));
    for (const source of options.accounts ?? []) {
      for (const problem of (await loadSource(source, () => lab)).problems) lab.warn(problem);
    }
    // Nobody reads the account while such a run plays, so the rows may be written beside it.
    if (!isRead) await recording.writeInThread((error) => lab.fail(error));
    api?.offer(lab, { recording, receiver: url, isAllowed });
    const metrics = options.metrics === undefined ? undefined : await offerMetrics(() => lab, options.metrics);
    if (metrics !== undefined) closers.push(() => metrics.close());
    const stop = (): void => lab.stop();
    options.signal?.addEventListener("abort", stop, { once: true });
    if (options.signal?.aborted === true) stop();
    closers.push(() => options.signal?.removeEventListener("abort", stop));
    const failures: string[] = [];
    const unwatch = boundSize(recording, options.recordingBytesMax, (why) => {
      failures.push(why);
      lab.stop();
    });
    closers.push(unwatch);
    command?.hasEnded.addEventListener("abort", () => {
      const reason: unknown = command.hasEnded.reason;
      failures.push(reason instanceof Error ? reason.message : String(reason));
      lab.stop();
    });
    const hands = new RunHands(lab, scenario);
    options.onStart?.({
      receiver: url ?? "none",
      isBundled: bundled !== undefined,
      recording: keepsNothing ? "none" : path,
      ...(api !== undefined && { api: { url: api.url, token: api.token, labToken: api.labToken } }),
      ...(metrics !== undefined && { metrics: metrics.url }),
      progress: () => lab.progress(),
      hands,
    });

    const tallies = await lab.play().finally(() => hands.end());
    if (recording.isDeleted) failures.push(deletedText(path));
    const { delivery, measuring, thresholds } = lab.pipeline;
    const parts = {
      scenario,
      tallies,
      delivery,
      measuring,
      thresholds,
      recording: keepsNothing ? null : path,
      failures,
      url,
      pace: pace.kind,
      receiverSteps,
    };
    const whole = resultOfRun(parts);
    const { result, exitCode } =
      shard === undefined ? { result: whole, exitCode: exitCodeOf(whole, parts) } : resultOfPart(whole, parts, shard);
    if (shard !== undefined) recording.keep(PART, JSON.stringify(recordOfPart(parts, shard)));
    recording.finish({ digest: tallies.digest, resultJson: JSON.stringify(result), endedWallMs: Date.now() });
    if (recording.isDeleted) recording.restore();
    return { result, exitCode };
  } finally {
    for (const close of closers.reverse()) await close();
  }
}

/** In lockstep the clock waits for the API unless it is told otherwise. */
function settlingOf(pace: Pace, { api, settleMs }: RunOptions): { settleMs?: number } {
  if (settleMs !== undefined) return { settleMs };
  return api !== undefined && pace.kind === "lockstep" ? { settleMs: SETTLE_MS } : {};
}

/** In lockstep everything waits for the answers anyhow, and a thread would only be one more step on their way. */
async function begunSender(
  scenario: Scenario,
  pace: Pace,
  options: SenderForOptions,
): Promise<HttpClient | ThreadedHttpSender> {
  return pace.kind === "lockstep" ? senderFor(scenario, options) : threadedSenderFor(scenario, options);
}

function beginRecording(path: string, scenario: Scenario, options: RunOptions, url: string | null): Recording {
  const keepsSecrets = options.keepSecrets === true;
  const kept = scenarioToKeep(scenario, { keepsSecrets });
  return Recording.create(
    path,
    {
      name: scenario.name,
      seed: scenario.seed,
      version,
      scenario: kept.source,
      startsAtMs: scenario.cast.startsAtMs,
      lastsMs: scenario.cast.lastsMs,
      preset: scenario.service,
      startedWallMs: Date.now(),
      options: {
        receiver: urlToKeep(url ?? "none", { keepsSecrets }),
        ...resumeWith(options),
        ...(options.shard !== undefined && { shard: partText(options.shard) }),
        ...kept.options,
      },
    },
    { overwrite: options.overwrite ?? false },
  );
}

/** `starts: now` means the instant at which the run is to begin, where one was named: so it is the same in all parts. */
function beginningAt(scenario: Scenario, { startAtMs }: RunOptions): Scenario {
  if (startAtMs === undefined || !scenario.startsNow) return scenario;
  return { ...scenario, cast: { ...scenario.cast, startsAtMs: startAtMs } };
}

function paceOf(scenario: Scenario, { pace = "lockstep", connections }: RunOptions): Pace {
  if (connections !== undefined && !(Number.isSafeInteger(connections) && connections >= 1)) {
    throw new LabError("bad-options", `connections must be a whole number >= 1, got ${connections}`);
  }
  if (pace === "lockstep") return { kind: "lockstep", lookaheadMs: scenario.lookaheadMs };
  if (pace === "max")
    return { kind: "max", connections: connections ?? scenario.receiver?.connections ?? DEFAULT_CONNECTIONS };
  const speed = typeof pace === "number" ? pace : Number(/^(\d+(?:\.\d+)?)x$/.exec(pace)?.[1]);
  if (!(speed > 0)) {
    throw new LabError("bad-options", `the pace must be lockstep, max, or a speed such as 1x or 60x, got '${pace}'`);
  }
  return { kind: "paced", speed };
}

/** Every address that the run may post to. */
function urlsOf(scenario: Scenario, wanted: string): string[] {
  if (wanted === "none") return [];
  const own = scenario.cast.handsets.flatMap(({ receiver }) =>
    receiver === undefined || receiver === "none" ? [] : receiver,
  );
  return wanted === "bundled" ? own : [wanted, ...own];
}

/** Asks the receiver for its switch only where the story needs one. */
async function switchFor(scenario: Scenario, url: string | null): Promise<ReceiverSwitch | undefined> {
  if (url === null || !scenario.story.some((step) => step.input.to === "receiver")) return undefined;
  return findSwitch(url);
}
