import { resolve } from "node:path";
import { LabError } from "../base/index.js";
import { scenarioWithSecrets, urlToKeep } from "../inspect/index.js";
import type { Scenario } from "../scenario/index.js";
import { openRecording } from "../store/index.js";
import { shardOf } from "./part/part-option.js";
import type { RunOptions } from "./run-options.js";

/** Options of a run that its resume needs; kept in the recording as JSON. */
interface KeptOptions {
  readonly receiver?: string;
  readonly pace?: Exclude<RunOptions["pace"], undefined>;
  readonly connections?: number;
  readonly giveUpAfterMs?: number;
  readonly recordingBytesMax?: number;
  readonly keepSecrets?: boolean;
  readonly judgeBusy?: boolean;
  /** The folder that the parts of a fleet share. */
  readonly startWhenAllReady?: { readonly folder: string };
  /** The receiver's URL had a password, which is not kept. */
  readonly lacksPassword?: boolean;
}

/**
 * The options of a run that its recording keeps: for a resume, and for people to read.
 *
 * @param played - the run's receiver. With a command the URL is kept, because a resume has no command and so would use
 * another default.
 */
export function optionsToKeep(options: RunOptions, played: string): Record<string, string> {
  const { pace = "lockstep", connections, giveUpAfterMs, recordingBytesMax, startWhenAllReady, command = [] } = options;
  const receiver = command.length > 0 ? played : options.receiver;
  const keepsSecrets = options.keepSecrets === true;
  const kept = receiver === undefined ? undefined : urlToKeep(receiver, { keepsSecrets });
  const again: KeptOptions = {
    pace,
    receiver: kept,
    ...(kept !== receiver && { lacksPassword: true }),
    ...(keepsSecrets && { keepSecrets: true }),
    ...(options.judgeBusy === true && { judgeBusy: true }),
    connections,
    giveUpAfterMs,
    recordingBytesMax,
    ...(startWhenAllReady !== undefined && { startWhenAllReady: { folder: resolve(startWhenAllReady.folder) } }),
  };
  const hasAccount = options.api !== undefined || (options.accounts ?? []).length > 0;
  return { pace: String(pace), again: JSON.stringify(again), ...(hasAccount && { account: "yes" }) };
}

/**
 * Reads the scenario and options with which `runScenario` resumes a killed run. The caller may override the options.
 *
 * @param path - of its recording
 * @param options - `receiver`: the caller's URL; with it, the recorded URL's password is not needed
 * @throws LabError `not-resumable` if it has ended, or had an API or account files: their changes to the account
 * cannot be re-executed. StoreError if it cannot be read
 */
export function resumable(
  path: string,
  { receiver }: { readonly receiver?: string | undefined } = {},
): { readonly scenario: Scenario; readonly options: RunOptions } {
  const reader = openRecording(path);
  try {
    const meta = reader.meta();
    if (reader.end() !== undefined) {
      throw new LabError("not-resumable", `the run in ${path} has ended`, {
        hint: `handset report ${path} shows it`,
      });
    }
    const { again, account, shard } = meta.options;
    if (account !== undefined) {
      throw new LabError(
        "not-resumable",
        `the run in ${path} had an account from outside (--api, --data), which cannot be re-executed`,
        {
          hint: "play its scenario again, or serve its recording: handset serve --db",
        },
      );
    }
    if (again === undefined) {
      throw new LabError("not-resumable", `the run in ${path} was recorded by a version without --resume`, {
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
      options: { ...options, recording: path, isResumed: true, shard: part },
    };
  } finally {
    reader.close();
  }
}
