import { Command } from "commander";
import { allowHost, checkOption, expectOption, repeatable, setValue } from "../options/repeatable.js";
import { LabError, type OnProgress } from "../../base/index.js";
import { renderResult } from "../../report/index.js";
import {
  COMMAND_RECEIVER,
  deliveryTargets,
  receiverOf,
  refuseConflicts,
  resultOfNoRun,
  resumable,
  type RunOptions,
  type RunOutcome,
  runScenario,
  type RunStart,
  shardOf,
} from "../../run/index.js";
import { kindOfFile, type Scenario } from "../../scenario/index.js";
import { StoreError } from "../../store/index.js";
import { exitCodeOf, sayWhyNot, UsageError } from "../failures.js";
import type { ExitCode, Io } from "../terminal/io.js";
import { RunTerminal } from "../terminal/run-terminal.js";
import { nextCommands } from "../printing/next-commands.js";
import { duration, instant, pace, port, size, wholeNumber } from "../options/values.js";
import { writeRunReport, type WrittenReport } from "../printing/run-report.js";
import { loadScenario, readText } from "../scenario-file.js";
import { defined } from "../options/defined.js";
import { deliverySets, deliveryValue } from "../options/delivery-options.js";
import { setOption, setMapOption, setTextOption } from "../options/set-options.js";
import { writeResult } from "../printing/write-result.js";
import { exactOptions, runExact } from "./run-exact.js";

interface Flags {
  readonly receiver?: string;
  readonly recording?: string;
  /** `--no-report`: false; by default true. */
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
  readonly delivery: readonly string[];
  readonly json?: true;
  readonly quiet?: true;
  readonly allowHost: readonly string[];
  readonly giveUpAfter?: number;
  readonly wait?: number;
  readonly api?: number;
  readonly apiToken?: string;
  readonly console?: number | true;
  readonly settle?: number;
  readonly expect: readonly string[];
  readonly check: readonly string[];
  readonly abort?: true;
  readonly judgeBusy?: true;
  readonly metrics?: number;
  readonly strict?: true;
  readonly data: readonly string[];
  readonly shard?: string;
  readonly processes?: number;
  readonly startAt?: number;
  readonly startWhenAllReady?: string;
  readonly readyWithin?: number;
}

export function runCommand(io: Io, end: (code: ExitCode) => void): Command {
  return new Command("run")
    .description(
      "Plays a scenario with virtual handsets: posts their events to the receiver, applies its answers, and records " +
        "everything.",
    )
    .argument("[file]", "the scenario (YAML), or a bug file that minimise has written; not with --resume")
    .argument(
      "[command...]",
      "after --: starts your receiver, with its port in PORT; {port} in it and in -r is a free one; it is ended after the run",
    )
    .optionsGroup("The receiver:")
    .option(
      "-r, --receiver <url>",
      `where events go: a URL, \`bundled\`, or \`none\` (default: the scenario's, else \`bundled\`; with a command ${COMMAND_RECEIVER})`,
    )
    .addOption(allowHost())
    .addOption(deliveryValue())
    .option("--connections <n>", "maximum number of open connections", wholeNumber)
    .option("--wait <duration>", "wait for the receiver to come up (default: 30s with a command)", duration)
    .option(
      "--give-up-after <duration>",
      "end the run after this time without an answer (default: 60s; never for `bundled`)",
      duration,
    )
    .optionsGroup("The scenario and its fleet:")
    .option("--seed <n>", "seed to use instead of the scenario's", wholeNumber)
    .addOption(setValue())
    .addOption(repeatable("--data <file>", "account file or export to load at the start; repeatable"))
    .option(
      "--shard <i/n>",
      "play only part i of n of the fleet; auto, auto/n: the cluster engine's variables give i (Slurm, Kubernetes…)",
    )
    .option("--processes <n>", "play the fleet in n processes, and join their recordings", wholeNumber)
    .option("--resume <recording>", "resume a killed run from its recording: no event is skipped")
    .optionsGroup("Time:")
    .option(
      "--pace <pace>",
      "lockstep; 1x, 60x…: by the wall clock (open model); max: as fast as the receiver answers (closed model)",
      pace,
      "lockstep",
    )
    .option("--start-at <when>", "begin at an instant of the wall clock: a timestamp, or +30s", instant)
    .option("--start-when-all-ready <folder>", "a part: begin when all parts are ready, which share this folder")
    .option("--ready-within <duration>", "how long to wait for the other parts (default: 10m)", duration)
    .option("--lookahead <duration>", "lockstep: virtual time from an attempt to its effect")
    .option(
      "--settle <duration>",
      "lockstep: hold the clock until the API has been idle for this time (default with --api: 100ms)",
      duration,
    )
    .optionsGroup("Expectations:")
    .addOption(expectOption())
    .addOption(checkOption("at the end, or `every` so often"))
    .option("--abort", "end the run as soon as a bound is broken")
    .option("--judge-busy", "judge the receiver's speed even if other programs keep this machine busy")
    .optionsGroup("Files:")
    .option("--recording <file>", "file of the recording (default: a new one under recordings/), or `none`")
    .option("--keep-secrets", "keep passwords and values of headers such as Authorization in the recording")
    .option("--overwrite", "replace an existing recording")
    .option("--max-size <size>", "largest size of the recording, such as 2GiB (default: 16GiB)", size)
    .option("--report <file>", "file of the HTML report (default: beside the recording)")
    .option("--no-report", "write no HTML report")
    .optionsGroup("Output:")
    .option("--json", "print the result as one JSON object on stdout")
    .option("-q, --quiet", "no progress and no summary")
    .option("--metrics <port>", "serve metrics to Prometheus during the run; 0: a free port", port)
    .optionsGroup("The REST API and the console:")
    .option("--api <port>", "serve the REST API during the run; 0: a free port", port)
    .option(
      "--api-token <token>",
      "token of the API (default: generated; a command after -- has it in HANDSET_API_TOKEN)",
    )
    .option(
      "--console [port]",
      "serve the API and the console, a browser page; also after the run, until Ctrl-C (default: a free port)",
      port,
    )
    .option("--strict", "the API also refuses requests that only real systems refuse, not the reference")
    .addHelpText("after", examples)
    .action(async (file: string | undefined, command: string[], flags: Flags, self: Command) => {
      const text = file === undefined || flags.resume !== undefined ? undefined : readText(file);
      if (file !== undefined && text !== undefined && kindOfFile(text) === "exact") {
        end(await runExact({ file, text, command }, flags, optionsBesides(exactOptions, self), io));
      } else end(await play(file, command, flags, io));
    });
}

/** The options of the command line that are not among some, as they are spelled. */
function optionsBesides(names: ReadonlySet<string>, command: Command): string[] {
  return command.options
    .filter(
      (option) => command.getOptionValueSource(option.attributeName()) === "cli" && !names.has(option.attributeName()),
    )
    .map(({ long, flags }) => long ?? flags);
}

async function play(file: string | undefined, words: readonly string[], flags: Flags, io: Io): Promise<ExitCode> {
  refuseConflicts({ ...flags, "start-when-all-ready": flags.startWhenAllReady, command: words });
  if (flags.readyWithin !== undefined && flags.startWhenAllReady === undefined) {
    throw new UsageError("--ready-within is for --start-when-all-ready FOLDER");
  }
  if (flags.api !== undefined && typeof flags.console === "number" && flags.console !== flags.api) {
    throw new UsageError("--api and --console share one server: name its port once");
  }
  const loaded = await load(file, words, flags, io);
  if (loaded === undefined) return 2;
  const { scenario, command, resumed } = loaded;
  const isPart = (flags.shard ?? resumed.shard) !== undefined && flags.recording !== "none";
  const terminal = await RunTerminal.open(io, { isQuiet: flags.quiet === true, isPart });
  const receiver = flags.receiver ?? resumed.receiver;
  const targets = deliveryTargets(scenario, receiverOf(scenario, { command, receiver }));
  const hasConsole = flags.console !== undefined;
  const onStart = (start: RunStart): void => terminal.showStart({ name: scenario.name, start, targets, hasConsole });
  const show = (outcome: RunOutcome): string | undefined => {
    const { path: report, problem } = writeReportOf(outcome, flags, terminal.onProgress);
    terminal.endProgress();
    if (problem !== undefined) io.stderr.write(`${problem}\n`);
    showOutcome(outcome, { file, flags, targets, report, io });
    return report;
  };
  const whenOver: NonNullable<RunOptions["console"]>["whenOver"] = async (outcome, showReport) => {
    const report = show(outcome);
    if (report !== undefined) showReport(report);
    // From now on Ctrl-C ends the console, not the run.
    terminal.close();
    await serveUntilInterrupted(io);
  };
  try {
    const outcome = await playLoaded(loaded, flags, {
      signal: terminal.signal,
      onStart,
      onProgress: terminal.onProgress,
      ...(flags.startWhenAllReady !== undefined && {
        startWhenAllReady: {
          folder: flags.startWhenAllReady,
          ...(flags.readyWithin !== undefined && { limitMs: flags.readyWithin }),
          onWait: terminal.onWait,
        },
      }),
      ...(hasConsole && { console: { whenOver } }),
    });
    if (!hasConsole) show(outcome);
    return outcome.exitCode;
  } catch (error) {
    const isOurs = error instanceof LabError || error instanceof StoreError;
    if (flags.json === true && isOurs && exitCodeOf(error) === 3) {
      const seen = error.code === "part-stopped" ? "the part was stopped" : undefined;
      io.stdout.write(renderResult(resultOfNoRun(scenario, error.message, seen)));
    }
    throw error;
  } finally {
    terminal.close();
  }
}

/** The console shows a run that is over until Ctrl-C. */
function serveUntilInterrupted(io: Io): Promise<void> {
  io.stderr.write("The run is over. The console still shows it: Ctrl-C ends it\n");
  return new Promise((resolve) => {
    const stopListening = io.onInterrupt(() => {
      stopListening();
      resolve();
    });
  });
}

/** A scenario to play, with the options that a resumed recording keeps. */
interface LoadedRun {
  readonly scenario: Scenario;
  readonly command: readonly string[];
  readonly resumed: RunOptions;
}

/** Reads the scenario's file, or the recording that `--resume` names; undefined when the scenario has errors. */
async function load(
  file: string | undefined,
  command: readonly string[],
  flags: Flags,
  io: Io,
): Promise<LoadedRun | undefined> {
  if (flags.resume !== undefined) {
    const { scenario, options } = resumable(flags.resume, { receiver: flags.receiver });
    // With --resume there is no scenario file, so commander assigns the first word after -- to `file`.
    return { scenario, command: file === undefined ? command : [file, ...command], resumed: options };
  }
  if (file === undefined) throw new UsageError("which scenario? handset run FILE, or --resume RECORDING");
  const setOptions = [
    ...(flags.lookahead === undefined ? [] : [setOption("--lookahead", "lookahead", flags.lookahead)]),
    ...deliverySets(flags.delivery),
    ...flags.expect.map((bound) => setTextOption("--expect", "expect.+", bound)),
    ...flags.check.map((check) => setMapOption("--check", "checks.+", check)),
  ];
  const scenario = await loadScenario(file, io, { set: flags.set, setOptions, seed: flags.seed });
  return scenario === undefined ? undefined : { scenario, command, resumed: {} };
}

/** Plays a loaded run in this process, or with `--processes` in several. */
async function playLoaded(
  { scenario, command, resumed }: LoadedRun,
  flags: Flags,
  terminal: Pick<RunOptions, "signal" | "onStart" | "onProgress" | "startWhenAllReady" | "console">,
): Promise<RunOutcome> {
  const options: RunOptions = { ...resumed, ...optionsIn(flags), ...terminal };
  if (flags.processes !== undefined) {
    const { runInProcesses } = await import("../../fleet/index.js");
    return runInProcesses(scenario, { ...options, processes: flags.processes });
  }
  const { apiToken: token, strict: isStrict = false } = flags;
  const port = flags.api ?? (flags.console === true ? 0 : flags.console);
  return runScenario(scenario, {
    ...options,
    ...defined({
      api: port === undefined ? undefined : { port, isStrict, keepsHistory: flags.console !== undefined, token },
      settleMs: flags.settle,
      metrics: flags.metrics === undefined ? undefined : { port: flags.metrics },
      shard: flags.resume === undefined ? shardOf(flags.shard, process.env) : undefined,
    }),
    accounts: flags.data.map((data) => ({ kind: "text", file: data, text: readText(data), readsFiles: true })),
    command,
  });
}

/** The options that apply to a run in one process and in several. */
function optionsIn(flags: Flags): RunOptions {
  return {
    ...defined({
      receiver: flags.receiver,
      recording: flags.recording,
      // A resumed run keeps its pace; the flag then only holds its default.
      pace: flags.resume === undefined ? flags.pace : undefined,
      keepSecrets: flags.keepSecrets,
      recordingBytesMax: flags.maxSize,
      connections: flags.connections,
      giveUpAfterMs: flags.giveUpAfter,
      waitMs: flags.wait,
      startAtMs: flags.startAt,
      judgeBusy: flags.judgeBusy,
    }),
    abort: flags.abort ?? false,
    overwrite: flags.overwrite ?? false,
    allowHosts: flags.allowHost,
  };
}

function writeReportOf({ result }: RunOutcome, flags: Flags, onProgress: OnProgress): WrittenReport {
  if (flags.report === false) return {};
  const file = typeof flags.report === "string" ? flags.report : undefined;
  return writeRunReport(result.recording, { onProgress, file });
}

function showOutcome(
  { result, exitCode }: RunOutcome,
  {
    file,
    flags,
    targets,
    report,
    io,
  }: {
    readonly file: string | undefined;
    readonly flags: Flags;
    readonly targets: readonly string[];
    readonly report: string | undefined;
    readonly io: Io;
  },
): void {
  const next = nextCommands({ file, recording: result.recording, targets });
  writeResult(result, flags, io, { report, next });
  if (flags.quiet === true) sayWhyNot({ result, exitCode }, io);
}

const examples = `
Examples:
  handset run scenarios/first-day.yaml
  handset run scenarios/power-cut.yaml --receiver http://127.0.0.1:8080/events --wait 30s
  handset run my-day.yaml --set handsets.clinic.count=4000 --receiver none --json
  handset run my-day.yaml -- node my-receiver.js
  handset run my-day.yaml --receiver http://127.0.0.1:9000/events -- python3 -m my_receiver
  handset run my-day.yaml -r http://127.0.0.1:8080/ --api 8090 --settle 200ms
  handset run my-day.yaml --pace 1x --expect "failures < 1% over 10s" --abort
  handset run --resume recordings/my-day.db

At a terminal, keys pause the clock, and change, pause and stop traffic. Press ?
to list them.

Exit codes: 0 all expectations are met; 1 one is not, the ledger does not close,
or the receiver died; 2 wrong usage or scenario; 3 the environment (a receiver
that never answered, a port, the disk); 70 a defect of handset-lab.`;
