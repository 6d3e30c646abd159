import { Command, InvalidArgumentError, Option } from "commander";
import { allowHost, checkOption, expectOption, ignoreOption } from "../options/repeatable.js";
import { requireReceiver } from "../options/while-condition.js";
import { COMMAND_RECEIVER, type ReplayOptions, replayRecording } from "../../run/index.js";
import { defined } from "../options/defined.js";
import { type EventFilterFlags, eventFiltersIn, withEventFilters } from "../options/event-filter-options.js";
import { sayWhyNot, UsageError } from "../failures.js";
import type { ExitCode, Io } from "../terminal/io.js";
import { deliveryArguments, deliveryValue } from "../options/delivery-options.js";
import { duration, wholeNumber } from "../options/values.js";
import { RunTerminal } from "../terminal/run-terminal.js";
import { writeResult } from "../printing/write-result.js";

interface Flags extends EventFilterFlags {
  readonly receiver?: string;
  readonly recording?: string;
  readonly overwrite?: true;
  readonly pace: NonNullable<ReplayOptions["pace"]>;
  readonly times: NonNullable<ReplayOptions["times"]>;
  readonly answers?: NonNullable<ReplayOptions["answers"]>;
  readonly ignore: readonly string[];
  readonly expect: readonly string[];
  readonly check: readonly string[];
  readonly connections?: number;
  readonly allowHost: readonly string[];
  readonly delivery: readonly string[];
  readonly giveUpAfter?: number;
  readonly wait?: number;
  readonly judgeBusy?: true;
  readonly json?: true;
  readonly quiet?: true;
}

export function replayCommand(io: Io, end: (code: ExitCode) => void): Command {
  const command = new Command("replay")
    .description(
      "Posts the events of a recording or of a log again, byte for byte, and records the answers. No phones are simulated. The " +
        "scenario's expectations about metrics are checked again.",
    )
    .argument("<recording>", "file of the recording, or a log of the field that import reads")
    .argument(
      "[command...]",
      "after --: starts your receiver; {port} in it and in -r is a free port; it is ended after the replay",
    )
    .option("-r, --receiver <url>", `address of the receiver (default with a command: ${COMMAND_RECEIVER})`)
    .option(
      "--pace <pace>",
      "max (closed model), as-recorded, a speed by virtual time (1x, 60x), or lockstep: one after the other",
      replayPace,
      "max",
    )
    .addOption(
      new Option("--times <which>", "times in the bodies: as they were, or shifted so that the last event is now")
        .choices(["original", "now"])
        .default("original"),
    )
    .addOption(
      new Option("--answers <how>", "compare each answer with the recorded one; exit 1 if one differs").choices([
        "compare",
      ]),
    )
    .addOption(ignoreOption())
    .addOption(expectOption())
    .addOption(checkOption("at the end"))
    .option("--recording <file>", "file of the new recording (default: a new one under recordings/), or `none`")
    .option("--overwrite", "replace an existing recording")
    .option("--connections <n>", "maximum number of open connections", wholeNumber)
    .addOption(allowHost())
    .addOption(deliveryValue())
    .option("--give-up-after <duration>", "end the replay after this time without an answer (default: 60s)", duration)
    .option("--wait <duration>", "wait for the receiver to come up (default: 30s with a command)", duration)
    .option("--judge-busy", "judge the receiver's speed even if other programs keep this machine busy")
    .option("--json", "print the result as one JSON object on stdout")
    .option("-q, --quiet", "no progress and no summary");
  return withEventFilters(command).action(async (path: string, words: readonly string[], flags: Flags) => {
    end(await replay(path, words, flags, io));
  });
}

async function replay(path: string, command: readonly string[], flags: Flags, io: Io): Promise<ExitCode> {
  requireReceiver(flags.receiver, command);
  if (flags.answers === undefined && flags.ignore.length > 0) {
    throw new UsageError("--ignore says what is not compared: add --answers compare");
  }
  const terminal = await RunTerminal.open(io, { isQuiet: flags.quiet === true });
  try {
    const { result, exitCode } = await replayRecording(path, {
      command,
      pace: flags.pace,
      times: flags.times,
      ignore: flags.ignore,
      expect: flags.expect,
      checks: flags.check,
      overwrite: flags.overwrite ?? false,
      allowHosts: flags.allowHost,
      signal: terminal.signal,
      onProgress: terminal.onProgress,
      onStart: (start) => terminal.showStart({ name: path, start }),
      ...defined({
        receiver: flags.receiver,
        answers: flags.answers,
        waitMs: flags.wait,
        judgeBusy: flags.judgeBusy,
        filters: eventFiltersIn(flags),
        recording: flags.recording,
        delivery: deliveryArguments(flags.delivery),
        connections: flags.connections,
        giveUpAfterMs: flags.giveUpAfter,
      }),
    });
    terminal.endProgress();
    writeResult(result, flags, io);
    if (flags.quiet === true) sayWhyNot({ result, exitCode }, io);
    return exitCode;
  } finally {
    terminal.close();
  }
}

function replayPace(text: string): Flags["pace"] {
  if (text === "max" || text === "as-recorded" || text === "lockstep") return text;
  const speed = Number(/^(\d+(?:\.\d+)?)x$/.exec(text)?.[1]);
  if (speed > 0) return speed;
  throw new InvalidArgumentError(`it must be max, lockstep, as-recorded, or a speed such as 1x or 60x, got '${text}'.`);
}
