import { mkdirSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { type Closers, version } from "../base/index.js";
import { scenarioToKeep, urlToKeep } from "../inspect/index.js";
import { GROUP_NAMES_KEY, RECEIVER_STEPS_KEY, STORY_KEY } from "../report/index.js";
import { lockRecording, openRecording, Recording, type RecordingReader } from "../store/index.js";
import { partText } from "./part/part-option.js";
import type { RunPlan } from "./plan-run.js";
import { recordSession, type SessionFacts } from "../past/index.js";
import { recordingPath } from "./recording-path.js";
import { optionsToKeep } from "./resume.js";
import type { RunOptions } from "./run-options.js";
import type { StartedReceiver } from "./start-receiver.js";
import { receiverStepsOf, storyInWords } from "./story-words.js";

/** The recording that a run writes. */
export interface RunRecording {
  readonly recording: Recording;
  /** `:memory:` if nothing is kept. */
  readonly path: string;
  /** Reads what a resumed run recorded before it was killed; undefined when the run is not resumed. */
  readonly recordedRun: RecordingReader | undefined;
  /** See `receiverStepsOf`. */
  readonly receiverSteps: number;
}

/**
 * Creates the recording of a run, or reopens a resumed run's. A lock keeps other runs from writing to it.
 *
 * @param closers - receives a closer for each resource that this opens
 * @throws StoreError if the file cannot be written, or another run writes to it
 */
export function beginRecording(
  plan: RunPlan,
  options: RunOptions,
  receiver: StartedReceiver,
  closers: Closers,
): RunRecording {
  const { scenario, keepsNothing, isRead } = plan;
  const path = keepsNothing ? ":memory:" : recordingPath(scenario, options.recording);
  if (path !== ":memory:") {
    mkdirSync(dirname(resolve(path)), { recursive: true });
    closers.push(lockRecording(path));
  }
  const isResumed = options.isResumed === true;
  const recording = isResumed ? Recording.reopen(path) : createRecording(path, plan, options, receiver.url);
  closers.push(() => recording.close());
  if (options.keepSecrets !== true) recording.dropSecrets();
  recording.keep(STORY_KEY, JSON.stringify(storyInWords(scenario.story)));
  const named = scenario.cast.handsets.flatMap(({ name, displayName }) =>
    displayName === undefined ? [] : [[name, displayName] as const],
  );
  if (named.length > 0) recording.keep(GROUP_NAMES_KEY, JSON.stringify(Object.fromEntries(named)));
  const receiverSteps = receiverStepsOf(scenario, receiver.switch);
  recording.keep(RECEIVER_STEPS_KEY, String(receiverSteps));
  if (!isResumed) recordSession(recording, sessionOf(plan, options, receiver));
  if (keepsNothing && !isRead) recording.discardRows();
  if (!isResumed) return { recording, path, recordedRun: undefined, receiverSteps };
  recording.reexecute();
  const recordedRun = openRecording(path);
  closers.push(() => recordedRun.close());
  return { recording, path, recordedRun, receiverSteps };
}

function createRecording(
  path: string,
  { scenario, shard, receiver }: RunPlan,
  options: RunOptions,
  url: string | null,
): Recording {
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
        ...optionsToKeep(options, receiver),
        ...(shard !== undefined && { shard: partText(shard) }),
        ...kept.options,
      },
    },
    { overwrite: options.overwrite ?? false },
  );
}

/** The facts of this run that a later re-execution of the recording needs. */
function sessionOf(
  { isRead }: RunPlan,
  options: RunOptions,
  { url, switch: receiverSwitch }: StartedReceiver,
): Omit<SessionFacts, "rows"> {
  const keepsSecrets = options.keepSecrets === true;
  return {
    fromMs: 0,
    url: url === null ? null : urlToKeep(url, { keepsSecrets }),
    hasSwitch: receiverSwitch !== undefined,
    allowHosts: options.allowHosts ?? [],
    isServed: options.api !== undefined,
    hasAccount: isRead,
    isStrict: options.api?.isStrict ?? false,
  };
}
