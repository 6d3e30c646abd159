import { mkdirSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { allowedHosts } from "../delivery/index.js";
import { startReceiver } from "../receiver/index.js";
import { type RunResult, STORY_KEY } from "../report/index.js";
import type { Scenario } from "../scenario/index.js";
import { Recording } from "../store/index.js";
import { type RunningCommand, startCommand } from "./command.js";
import { type AccountSource, loadSource } from "./account-source.js";
import { LabError } from "./errors.js";
import { prepareScenarioFakes } from "./fakes.js";
import { Lab, type Progress } from "./lab.js";
import { type ApiAddress, OfferedApi } from "./offered-api.js";
import type { Pace } from "./pace.js";
import { refuseUrl } from "./post.js";
import { readAgainWith } from "./read-again.js";
import { recordingPath } from "./recording-path.js";
import { exitCodeOf, resultOfRun } from "./result.js";
import { senderFor } from "./sender-for.js";
import { storyInWords } from "./story-words.js";
import { findSwitch, type ReceiverSwitch, waitForReceiver } from "./target.js";
import { version } from "./version.js";

/** How a scenario is to be played; everything has a default. Spans are wall milliseconds. */
export interface RunOptions {
  /** A URL, `bundled`, or `none`: overrides the scenario's receiver. */
  readonly receiver?: string;
  /** File of the recording; default: a new one under `recordings/`. `:memory:` keeps it in memory. */
  readonly recording?: string;
  /** Replaces a recording that is already there. */
  readonly overwrite?: boolean;
  /** `lockstep` (default), `max`, or a speed: `60x` or 60 virtual milliseconds in each of the wall's. */
  readonly pace?: "lockstep" | "max" | `${number}x` | number;
  /** Open connections at most; overrides the scenario's. */
  readonly connections?: number;
  /** Hosts beside loopback that may be sent to: `name` or `name:port`. */
  readonly allowHosts?: readonly string[];
  /** Without any answer for so long the run ends with exit 3. Default 60,000. */
  readonly giveUpAfterMs?: number;
  /** Waits for the receiver to come up. Default 0, and 30,000 with a command. */
  readonly waitMs?: number;
  /** Starts the receiver, and ends it after the run. */
  readonly command?: readonly string[];
  /** Offers the REST API of the emulated service to the receiver while the run lasts. */
  readonly api?: ApiAddress;
  /** Lockstep with an API: after each window of answers the clock waits until the API was idle for so long. */
  readonly settleMs?: number;
  /** What the account holds at first: account files, exports. */
  readonly accounts?: readonly AccountSource[];
  /** Stops the run cleanly: attempts in flight are awaited, the summary covers what was played. */
  readonly signal?: AbortSignal;
  /** Called once, before the world starts. */
  readonly onStart?: (start: RunStart) => void;
  /** See `LabOptions.sabotage`. */
  readonly sabotage?: (event: { channel: number; number: number; type: string }) => boolean;
}

/** What is known when the world starts. */
export interface RunStart {
  /** Where events go: a URL, or `none`. */
  readonly receiver: string;
  readonly isBundled: boolean;
  readonly recording: string;
  /** Where the REST API is, and the token of an administrator; absent: it is not offered. */
  readonly api?: { readonly url: string; readonly token: string };
  /** Where the run stands, whenever it is asked. */
  progress(): Progress;
}

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
export async function runScenario(scenario: Scenario, options: RunOptions = {}): Promise<RunOutcome> {
  const fakes = await prepareScenarioFakes(scenario);
  const pace = paceOf(scenario, options);
  const isAllowed = allowedHosts(options.allowHosts ?? []);
  const wanted = options.receiver ?? scenario.receiver?.url ?? "bundled";
  for (const url of urlsOf(scenario, wanted)) if (!isAllowed(url)) refuseUrl(url);

  const closers: (() => Promise<void> | void)[] = [];
  try {
    const api = options.api === undefined ? undefined : await OfferedApi.open(options.api);
    if (api !== undefined) closers.push(() => api.close());
    let command: RunningCommand | undefined;
    if (options.command?.[0] !== undefined) {
      const environment = api === undefined ? {} : { HANDSET_API_URL: api.url, HANDSET_API_TOKEN: api.token };
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

    const path = recordingPath(scenario, options.recording);
    if (path !== ":memory:") mkdirSync(dirname(resolve(path)), { recursive: true });
    const recording = Recording.create(
      path,
      {
        name: scenario.name,
        seed: scenario.seed,
        version,
        scenario: scenario.source,
        startsAtMs: scenario.cast.startsAtMs,
        lastsMs: scenario.cast.lastsMs,
        preset: scenario.service,
        startedWallMs: Date.now(),
        options: {
          receiver: url ?? "none",
          pace: String(options.pace ?? "lockstep"),
          ...readAgainWith(scenario),
        },
      },
      { overwrite: options.overwrite ?? false },
    );
    closers.push(() => recording.close());
    recording.keep(STORY_KEY, JSON.stringify(storyInWords(scenario.story)));

    const sender = url === null ? undefined : senderFor(scenario, { url, isAllowed, connections: options.connections });
    if (sender !== undefined) closers.push(() => sender.close());
    const lab = new Lab({
      scenario,
      recording,
      url,
      pace,
      fakes,
      giveUpAfterMs: options.giveUpAfterMs ?? 60_000,
      isAllowed,
      isServed: api !== undefined,
      ...(options.settleMs !== undefined && { settleMs: options.settleMs }),
      ...(sender !== undefined && { sender }),
      ...(receiver !== undefined && { receiver }),
      ...(options.sabotage !== undefined && { sabotage: options.sabotage }),
    });
    for (const source of options.accounts ?? []) {
      for (const problem of (await loadSource(source, () => lab)).problems) lab.warn(problem);
    }
    api?.offer(lab, { recording, isAllowed });
    const stop = (): void => lab.stop();
    options.signal?.addEventListener("abort", stop, { once: true });
    if (options.signal?.aborted === true) stop();
    closers.push(() => options.signal?.removeEventListener("abort", stop));
    const failures: string[] = [];
    command?.hasEnded.addEventListener("abort", () => {
      const reason: unknown = command.hasEnded.reason;
      failures.push(reason instanceof Error ? reason.message : String(reason));
      lab.stop();
    });
    options.onStart?.({
      receiver: url ?? "none",
      isBundled: bundled !== undefined,
      recording: path,
      ...(api !== undefined && { api: { url: api.url, token: api.token } }),
      progress: () => lab.progress(),
    });

    const tallies = await lab.play();
    const parts = {
      scenario,
      tallies,
      delivery: lab.delivery,
      recording: path,
      failures,
      url,
      isPaced: pace.kind === "paced",
    };
    const result = resultOfRun(parts);
    recording.finish({ digest: tallies.digest, resultJson: JSON.stringify(result), endedWallMs: Date.now() });
    return { result, exitCode: exitCodeOf(result, parts) };
  } finally {
    for (const close of closers.reverse()) await close();
  }
}

function paceOf(scenario: Scenario, { pace = "lockstep", connections }: RunOptions): Pace {
  if (connections !== undefined && !(Number.isSafeInteger(connections) && connections >= 1)) {
    throw new LabError("bad-options", `connections must be a whole number >= 1, got ${connections}`);
  }
  if (pace === "lockstep") return { kind: "lockstep", lookaheadMs: scenario.lookaheadMs };
  if (pace === "max") return { kind: "max", connections: connections ?? scenario.receiver?.connections ?? 50 };
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
