import { Command, Option } from "commander";
import { LabError } from "../../base/index.js";
import { renderResult } from "../../report/index.js";
import {
  deliveryTargets,
  resultOfNoRun,
  resumable,
  type RunOptions,
  runScenario,
  type RunStart,
  shardOf,
} from "../../run/index.js";
import type { Scenario } from "../../scenario/index.js";
import { StoreError } from "../../store/index.js";
import { exitCodeOf, sayWhyNot, UsageError } from "../failures.js";
import type { ExitCode, Io } from "../io.js";
import { RunKeys } from "../keys.js";
import { nextCommands } from "../next-commands.js";
import { duration, instant, list, pace, port, size, wholeNumber } from "../option-values.js";
import { LiveProgress } from "../progress.js";
import { writeRunReport } from "../run-report.js";
import { loadScenario, readText } from "../scenario-file.js";
import { setOption, setTextOption } from "../set-options.js";
import { writeResult } from "../write-result.js";

interface Flags {
  readonly receiver?: string;
  readonly recording?: string;
  /** `--no-report`: false; nothing said: true. */
  readonly report: string | boolean;
  readonly overwrite?: true;
  readonly keepSecrets?: true;
  readonly resume?: string;
  readonly maxSize?: number;
  readonly seed?: number;
  readonly pace?: RunOptions["pace"];
  readonly lookahead?: string;
  readonly connections?: number;
  readonly set: readonly string[];
  readonly json?: true;
  readonly quiet?: true;
  readonly allowHost: readonly string[];
  readonly giveUpAfter?: number;
  readonly wait?: number;
  readonly api?: number;
  readonly apiToken?: string;
  readonly settle?: number;
  readonly expect: readonly string[];
  readonly abort?: true;
  readonly metrics?: number;
  readonly strict?: true;
  readonly data: readonly string[];
  readonly shard?: string;
  readonly processes?: number;
  readonly startAt?: number;
}

export function runCommand(io: Io, end: (code: ExitCode) => void): Command {
  return new Command("run")
    .description(
      "Plays a scenario: virtual handsets live through it, the events that follow are posted to the receiver, its " +
        "answers come back into the world, and everything is recorded.",
    )
    .argument("[file]", "the scenario (YAML); none with --resume")
    .argument("[command...]", "after --: starts your receiver; it is ended after the run")
    .optionsGroup("The receiver:")
    .option("-r, --receiver <url>", "where events go: a URL, `bundled` (the default), or `none`")
    .addOption(
      new Option("--allow-host <name>", "a host beside loopback that may be sent to; repeatable")
        .argParser(list)
        .default([], "none"),
    )
    .option("--connections <n>", "connections open at most", wholeNumber)
    .option("--wait <duration>", "wait for the receiver to come up (default: 30s with a command)", duration)
    .option("--give-up-after <duration>", "end the run after so long without any answer (default: 60s)", duration)
    .optionsGroup("What is played:")
    .option("--seed <n>", "another seed than the scenario's", wholeNumber)
    .addOption(
      new Option("--set <path=value>", "override a value of the scenario; repeatable")
        .argParser(list)
        .default([], "none"),
    )
    .addOption(
      new Option("--data <file>", "account file or export that the account begins with; repeatable")
        .argParser(list)
        .default([], "none"),
    )
    .option("--shard <i/n>", "play only the i-th of n parts of the fleet; auto/n: that of the pod of an Indexed Job")
    .option("--processes <n>", "play the fleet in so many processes, and join their recordings", wholeNumber)
    .option("--resume <recording>", "go on with a run that was cut off: no event is skipped")
    .optionsGroup("How time goes:")
    .option(
      "--pace <pace>",
      "lockstep; 1x, 60x…: by the wall clock (open model); max: as fast as the receiver answers (closed model)",
      pace,
      "lockstep",
    )
    .option("--start-at <when>", "begin at an instant of the wall's clock: a timestamp, or +30s", instant)
    .option("--lookahead <duration>", "lockstep: virtual time from an attempt to its effect")
    .option(
      "--settle <duration>",
      "lockstep: hold the clock until the API has been idle for so long (default with --api: 100ms)",
      duration,
    )
    .optionsGroup("What has to hold:")
    .addOption(
      new Option("--expect <bound>", 'a bound beside the scenario\'s, such as "delivery.p99 < 500ms"; repeatable')
        .argParser(list)
        .default([], "none"),
    )
    .option("--abort", "bounds that are broken before the end stop the run")
    .optionsGroup("What is kept:")
    .option("--recording <file>", "file of the recording (default: a new one under recordings/), or `none`")
    .option("--keep-secrets", "keep passwords and values of headers such as Authorization in the recording")
    .option("--overwrite", "replace a recording that is already there")
    .option("--max-size <size>", "bytes that the recording may take, such as 2GiB (default: 16GiB)", size)
    .option("--report <file>", "file of the HTML report (default: beside the recording)")
    .option("--no-report", "write no HTML report")
    .optionsGroup("What is shown:")
    .option("--json", "print the result as one JSON object on stdout")
    .option("-q, --quiet", "no progress and no summary")
    .option("--metrics <port>", "offer metrics to Prometheus while the run lasts; 0: a free port", port)
    .optionsGroup("The REST API beside it:")
    .option("--api <port>", "offer the REST API to the receiver while the run lasts; 0: a free port", port)
    .option("--api-token <token>", "its token (default: made up; a command after -- finds it in HANDSET_API_TOKEN)")
    .option("--strict", "the API refuses what real systems refuse beyond the reference")
    .addHelpText("after", examples)
    .action(async (file: string | undefined, command: string[], flags: Flags) => {
      end(await play(file, command, flags, io));
    });
}

async function play(file: string | undefined, words: readonly string[], flags: Flags, io: Io): Promise<ExitCode> {
  const loaded = await load(file, words, flags, io);
  if (loaded === undefined) return 2;
  const { scenario, command, again } = loaded;
  if (flags.settle !== undefined && flags.api === undefined) {
    throw new UsageError("--settle waits for the API to be idle: add --api PORT");
  }
  const shard =
    flags.processes === undefined && flags.resume === undefined ? shardOf(flags.shard, process.env) : undefined;
  if (flags.processes !== undefined) refuseWithProcesses(flags, command);
  if (flags.resume !== undefined && (flags.processes ?? flags.shard) !== undefined) {
    throw new UsageError("--resume goes on with one recording, and knows which part of a fleet it is of");
  }
  const controller = new AbortController();
  const progress = flags.quiet === true ? undefined : await LiveProgress.on(io.stderr);
  let stopKeys: (() => void) | undefined;
  const stop = (): void => {
    controller.abort();
    progress?.say("stopping: waiting for the attempts in flight (Ctrl-C again to end at once)");
  };
  const stopListening = io.onInterrupt(() => {
    if (controller.signal.aborted) {
      stopKeys?.();
      io.stderr.write("\nhandset: ended at once; the recording holds what was answered so far\n");
      io.exit(130);
    }
    stop();
  });
  const listenToKeys = (start: RunStart): void => {
    const { hands } = start;
    if (progress === undefined || hands === undefined || !io.stderr.isTTY) return;
    const keys = new RunKeys({ ...start, hands }, stop);
    stopKeys = io.onKey?.((key) => {
      const lines = keys.press(key);
      if (lines !== undefined) progress.say(...lines);
    });
  };
  try {
    const options: RunOptions = {
      ...again,
      ...(flags.receiver !== undefined && { receiver: flags.receiver }),
      ...(flags.recording !== undefined && { recording: flags.recording }),
      ...(flags.pace !== undefined && flags.resume === undefined && { pace: flags.pace }),
      ...(flags.keepSecrets === true && { keepSecrets: true }),
      ...(flags.maxSize !== undefined && { recordingBytesMax: flags.maxSize }),
      ...(flags.connections !== undefined && { connections: flags.connections }),
      ...(flags.giveUpAfter !== undefined && { giveUpAfterMs: flags.giveUpAfter }),
      ...(flags.wait !== undefined && { waitMs: flags.wait }),
      ...(flags.startAt !== undefined && { startAtMs: flags.startAt }),
      abort: flags.abort ?? false,
      overwrite: flags.overwrite ?? false,
      allowHosts: flags.allowHost,
      signal: controller.signal,
      onStart: (start: RunStart) => {
        if (start.api !== undefined && flags.quiet !== true) {
          io.stderr.write(`REST API at ${start.api.url}/api/v2/, token ${start.api.token}\n`);
          io.stderr.write(`Control API at ${start.api.url}/lab/, token ${start.api.labToken} (handset do finds it)\n`);
        }
        listenToKeys(start);
        progress?.start(scenario.name, start, { hasKeys: stopKeys !== undefined, targets });
        if (start.metrics !== undefined && flags.quiet !== true) io.stderr.write(`Metrics at ${start.metrics}\n`);
      },
    };
    const targets = deliveryTargets(scenario, options.receiver);
    const { result, exitCode } =
      flags.processes !== undefined
        ? await (
            await import("../../fleet/index.js")
          ).runInProcesses(scenario, { ...options, processes: flags.processes })
        : await runScenario(scenario, {
            ...options,
            ...(flags.api !== undefined && {
              api: {
                port: flags.api,
                isStrict: flags.strict ?? false,
                ...(flags.apiToken !== undefined && { token: flags.apiToken }),
              },
            }),
            ...(flags.settle !== undefined && { settleMs: flags.settle }),
            ...(flags.metrics !== undefined && { metrics: { port: flags.metrics } }),
            ...(shard !== undefined && { shard }),
            accounts: flags.data.map((data) => ({ kind: "text", file: data, text: readText(data), readsFiles: true })),
            command,
          });
    stopKeys?.();
    progress?.end();
    const { stderr } = io;
    const report =
      flags.report === false
        ? undefined
        : writeRunReport(result.recording, { stderr, ...(typeof flags.report === "string" && { file: flags.report }) });
    writeResult(result, flags, io, {
      ...(report !== undefined && { report }),
      next: nextCommands({ file, recording: result.recording, targets }),
    });
    if (flags.quiet === true) sayWhyNot(exitCode, result.problems, io);
    return exitCode;
  } catch (error) {
    const isOurs = error instanceof LabError || error instanceof StoreError;
    if (flags.json === true && isOurs && exitCodeOf(error) === 3) {
      io.stdout.write(renderResult(resultOfNoRun(scenario, error.message)));
    }
    throw error;
  } finally {
    stopKeys?.();
    progress?.end();
    stopListening();
  }
}

/** What is to be played: a scenario's file, or a recording that is gone on with. */
async function load(
  file: string | undefined,
  command: readonly string[],
  flags: Flags,
  io: Io,
): Promise<{ scenario: Scenario; command: readonly string[]; again: RunOptions } | undefined> {
  if (flags.resume !== undefined) {
    if (flags.set.length > 0 || flags.expect.length > 0 || flags.seed !== undefined || flags.lookahead !== undefined) {
      throw new UsageError("--resume goes on with a run as it was: leave --set, --expect, --seed and --lookahead out");
    }
    // Without a scenario's file, the first word after -- is taken for it.
    const { scenario, options } = resumable(flags.resume, { receiver: flags.receiver });
    return { scenario, command: file === undefined ? command : [file, ...command], again: options };
  }
  if (file === undefined) throw new UsageError("which scenario? handset run FILE, or --resume RECORDING");
  const setOptions = [
    ...(flags.lookahead === undefined ? [] : [setOption("--lookahead", "lookahead", flags.lookahead)]),
    ...flags.expect.map((bound) => setTextOption("--expect", "expect.+", bound)),
  ];
  const scenario = await loadScenario(file, io, {
    set: flags.set,
    setOptions,
    ...(flags.seed !== undefined && { seed: flags.seed }),
  });
  return scenario === undefined ? undefined : { scenario, command, again: {} };
}

/** What the processes could not share. */
function refuseWithProcesses(flags: Flags, command: readonly string[]): void {
  const refuse = (what: string, hint: string): never => {
    throw new UsageError(`${what} cannot go with --processes`, hint);
  };
  if (flags.shard !== undefined) refuse("--shard", "each process plays a part of its own already");
  if (flags.api !== undefined) refuse("--api", "its clients would see one part of the account");
  if (flags.metrics !== undefined) refuse("--metrics", "each process would have numbers of its own part");
  if (flags.data.length > 0) refuse("--data", "it is of people in all parts");
  if (command.length > 0) refuse("a command", "start the receiver yourself and name it with --receiver");
}

const examples = `
Examples:
  handset run scenarios/first-day.yaml
  handset run scenarios/power-cut.yaml --receiver http://127.0.0.1:8080/events --wait 30s
  handset run my-day.yaml --set handsets.clinic.count=4000 --receiver none --json
  handset run my-day.yaml --receiver http://127.0.0.1:8080/ -- python3 -m my_receiver
  handset run my-day.yaml -r http://127.0.0.1:8080/ --api 8090 --settle 200ms
  handset run my-day.yaml --pace 1x --expect "failures < 1% over 10s" --abort
  handset run --resume recordings/my-day.db

At a terminal, keys pause the clock and change, pause and stop traffic while it runs: press ? for them.

Exit codes: 0 all held, 1 an expectation or the ledger did not, 2 wrong usage or scenario,
3 the environment (no receiver, a port, the disk), 70 a defect of handset-lab.`;
