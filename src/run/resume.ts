import { LabError } from "../base/index.js";
import { scenarioWithSecrets, urlToKeep } from "../inspect/index.js";
import type { Scenario } from "../scenario/index.js";
import { openRecording } from "../store/index.js";
import { shardOf } from "./part/part-option.js";
import type { RunOptions } from "./run-options.js";

/** Options of a run that it needs again when it is gone on with; kept in its recording as text. */
interface KeptOptions {
  readonly receiver?: string;
  readonly pace?: Exclude<RunOptions["pace"], undefined>;
  readonly connections?: number;
  readonly giveUpAfterMs?: number;
  readonly recordingBytesMax?: number;
  readonly keepSecrets?: boolean;
  /** The receiver was given with a password, which is not kept. */
  readonly lacksPassword?: boolean;
}

/** What a recording keeps of a run's options, to be gone on with and for people to read. */
export function optionsToKeep(options: RunOptions): Record<string, string> {
  const { receiver, pace = "lockstep", connections, giveUpAfterMs, recordingBytesMax } = options;
  const keepsSecrets = options.keepSecrets === true;
  const kept = receiver === undefined ? undefined : urlToKeep(receiver, { keepsSecrets });
  const again: KeptOptions = {
    pace,
    ...(kept !== undefined && { receiver: kept }),
    ...(kept !== receiver && { lacksPassword: true }),
    ...(keepsSecrets && { keepSecrets: true }),
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
 * @param options - `receiver`: the address where it was given again
 * @throws LabError `not-resumable` when it has ended, or had an API or account files: what clients have read of the
 *   account cannot be gone through again. StoreError when it cannot be read
 */
export function resumable(
  path: string,
  { receiver }: { readonly receiver?: string | undefined } = {},
): { readonly scenario: Scenario; readonly options: RunOptions } {
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
    const { lacksPassword, ...options } = JSON.parse(again) as KeptOptions;
    if (lacksPassword === true && receiver === undefined) {
      throw new LabError("bad-options", `${path} does not keep the password of the receiver ${options.receiver}`, {
        hint: "give its address again with -r, or record with --keep-secrets",
      });
    }
    const part = shard === undefined ? undefined : shardOf(shard, {});
    return {
      scenario: scenarioWithSecrets(meta, path),
      options: { ...options, recording: path, isResumed: true, ...(part !== undefined && { shard: part }) },
    };
  } finally {
    reader.close();
  }
}
