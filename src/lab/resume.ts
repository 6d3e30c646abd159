import type { Scenario } from "../scenario/index.js";
import { openRecording } from "../store/index.js";
import { LabError } from "./errors.js";
import { scenarioOf } from "./read-again.js";
import type { RunOptions } from "./run-options.js";
import { shardOf } from "./shard.js";

/** Options of a run that it needs again when it is gone on with; kept in its recording as text. */
interface Resumed {
  readonly receiver?: string;
  readonly pace?: Exclude<RunOptions["pace"], undefined>;
  readonly connections?: number;
  readonly giveUpAfterMs?: number;
  readonly recordingBytesMax?: number;
}

/** What a recording keeps of a run's options, to be gone on with and for people to read. */
export function resumeWith(options: RunOptions): Record<string, string> {
  const { receiver, pace = "lockstep", connections, giveUpAfterMs, recordingBytesMax } = options;
  const again: Resumed = {
    pace,
    ...(receiver !== undefined && { receiver }),
    ...(connections !== undefined && { connections }),
    ...(giveUpAfterMs !== undefined && { giveUpAfterMs }),
    ...(recordingBytesMax !== undefined && { recordingBytesMax }),
  };
  const hasAccount = options.api !== undefined || (options.accounts ?? []).length > 0;
  return { pace: String(pace), again: JSON.stringify(again), ...(hasAccount && { account: "yes" }) };
}

/**
 * A run that was cut off: what `runScenario` needs to go on with it. What is given in `options` there goes before.
 *
 * @param path - of its recording
 * @throws LabError `not-resumable` when it has ended, or had an API or account files: what clients have read of the
 *   account cannot be gone through again. StoreError when it cannot be read
 */
export function resumable(path: string): { readonly scenario: Scenario; readonly options: RunOptions } {
  const reader = openRecording(path);
  try {
    const meta = reader.meta();
    if (reader.end() !== undefined) {
      throw new LabError("not-resumable", `the run in ${path} has come to its end`, {
        hint: `handset report ${path} shows it`,
      });
    }
    const { again, account, shard } = meta.options;
    if (account !== undefined) {
      throw new LabError("not-resumable", `the run in ${path} had an account that others changed (--api, --data)`, {
        hint: "play its scenario again, or serve what is there: handset serve --db",
      });
    }
    if (again === undefined) {
      throw new LabError("not-resumable", `the run in ${path} was recorded by a version that could not go on with it`, {
        hint: "play its scenario again",
      });
    }
    const options = JSON.parse(again) as Resumed;
    const part = shard === undefined ? undefined : shardOf(shard, {});
    return {
      scenario: scenarioOf(meta, path),
      options: { ...options, recording: path, isResumed: true, ...(part !== undefined && { shard: part }) },
    };
  } finally {
    reader.close();
  }
}
