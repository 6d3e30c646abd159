import { Command, Option } from "commander";
import {
  LabError,
  renderSummary,
  resultOfNoRun,
  runScenario,
  StoreError,
  type RunOptions,
  type RunStart,
} from "../../lab/index.js";
import { exitCodeOf, UsageError } from "../failures.js";
import type { ExitCode, Io } from "../io.js";
import { duration, list, pace, port, wholeNumber } from "../option-values.js";
import { LiveProgress } from "../progress.js";
import { writeRunReport } from "../run-report.js";
import { loadScenario, readText } from "../scenario-file.js";

interface Flags {
  readonly receiver?: string;
  readonly recording?: string;
  /** `--no-report`: false; nothing said: true. */
  readonly report: string | boolean;
  readonly overwrite?: true;
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
  readonly strict?: true;
  readonly data: readonly string[];
}

export function runCommand(io: Io, end: (code: ExitCode) => void): Command {
  return new Command("run")
    .summary("play a scenario against a receiver")
    .description(
      "Plays a scenario: virtual handsets live through it, the events that follow are posted to the receiver, its\n" +
        "answers come back into the world, and everything is recorded.",
    )
    .argument("<file>", "the scenario (YAML)")
    .argument("[command...]", "after --: starts your receiver; it is ended after the run")
    .option("-r, --receiver <url>", "where events go: a URL, `bundled` (the default), or `none`")
    .option("--recording <file>", "file of the recording (default: a new one under recordings/)")
    .option("--report <file>", "file of the HTML report (default: beside the recording)")
    .option("--no-report", "write no HTML report")
    .option("--overwrite", "replace a recording that is already there")
    .option("--seed <n>", "another seed than the scenario's", wholeNumber)
    .option("--pace <pace>", "lockstep, 1x, 60x…, or max", pace, "lockstep")
    .option("--lookahead <duration>", "lockstep: virtual time from an attempt to its effect")
    .option("--connections <n>", "connections open at most", wholeNumber)
    .addOption(
      new Option("--set <path=value>", "override a value of the scenario; repeatable")
        .argParser(list)
        .default([], "none"),
    )
    .option("--json", "print the result as one JSON object on stdout")
    .option("-q, --quiet", "no progress and no summary")
    .addOption(
      new Option("--allow-host <name>", "a host beside loopback that may be sent to; repeatable")
        .argParser(list)
        .default([], "none"),
    )
    .option("--give-up-after <duration>", "end the run after so long without any answer (default: 60s)", duration)
    .option("--wait <duration>", "wait for the receiver to come up (default: 30s with a command)", duration)
    .option("--api <port>", "offer the REST API to the receiver while the run lasts; 0: a free port", port)
    .option("--api-token <token>", "its token (default: made up; a command after -- finds it in HANDSET_API_TOKEN)")
    .option(
      "--settle <duration>",
      "lockstep: hold the clock until the API has been idle for so long, such as 200ms",
      duration,
    )
    .option("--strict", "the API refuses what real systems refuse beyond the reference")
    .addOption(
      new Option("--data <file>", "account file or export that the account begins with; repeatable")
        .argParser(list)
        .default([], "none"),
    )
    .addHelpText("after", examples)
    .action(async (file: string, command: string[], flags: Flags) => {
      end(await play(file, command, flags, io));
    });
}

async function play(file: string, command: readonly string[], flags: Flags, io: Io): Promise<ExitCode> {
  const set = flags.lookahead === undefined ? flags.set : [...flags.set, `lookahead=${flags.lookahead}`];
  const loaded = await loadScenario(file, io, { set, ...(flags.seed !== undefined && { seed: flags.seed }) });
  if (loaded === undefined) return 2;

  if (flags.settle !== undefined && flags.api === undefined) {
    throw new UsageError("--settle waits for the API to be idle: add --api PORT");
  }
  const controller = new AbortController();
  const progress = flags.quiet === true ? undefined : new LiveProgress(io.stderr);
  const stopListening = io.onInterrupt(() => {
    if (controller.signal.aborted) {
      io.stderr.write("\nhandset: ended at once; the recording holds what was answered so far\n");
      io.exit(130);
    }
    controller.abort();
    progress?.say("stopping: waiting for the attempts in flight (Ctrl-C again to end at once)");
  });
  try {
    const { result, exitCode } = await runScenario(loaded, {
      ...(flags.receiver !== undefined && { receiver: flags.receiver }),
      ...(flags.recording !== undefined && { recording: flags.recording }),
      ...(flags.pace !== undefined && { pace: flags.pace }),
      ...(flags.connections !== undefined && { connections: flags.connections }),
      ...(flags.giveUpAfter !== undefined && { giveUpAfterMs: flags.giveUpAfter }),
      ...(flags.wait !== undefined && { waitMs: flags.wait }),
      ...(flags.api !== undefined && {
        api: {
          port: flags.api,
          isStrict: flags.strict ?? false,
          ...(flags.apiToken !== undefined && { token: flags.apiToken }),
        },
      }),
      ...(flags.settle !== undefined && { settleMs: flags.settle }),
      accounts: flags.data.map((data) => ({ kind: "text", file: data, text: readText(data), readsFiles: true })),
      overwrite: flags.overwrite ?? false,
      allowHosts: flags.allowHost,
      command,
      signal: controller.signal,
      onStart: (start: RunStart) => {
        if (start.api !== undefined && flags.quiet !== true) {
          io.stderr.write(`REST API at ${start.api.url}/api/v2/, token ${start.api.token}\n`);
        }
        progress?.start(loaded.name, start);
      },
    });
    progress?.end();
    const { stderr } = io;
    const report =
      flags.report === false
        ? undefined
        : writeRunReport(result.recording, { stderr, ...(typeof flags.report === "string" && { file: flags.report }) });
    if (flags.json === true) io.stdout.write(`${JSON.stringify(result)}\n`);
    if (flags.quiet !== true) {
      const output = flags.json === true ? io.stderr : io.stdout;
      output.write(
        renderSummary(result, {
          colour: output.colours > 0,
          width: output.columns,
          ...(report !== undefined && { report }),
          next: [
            {
              command: `npx handset events ${result.recording}`,
              about: "every event with its attempts, as JSON lines",
            },
            flags.receiver === undefined
              ? { command: `npx handset run ${file} -r http://127.0.0.1:8080/`, about: "against your own receiver" }
              : { command: `npx handset report ${result.recording}`, about: "this summary again" },
            { command: "npx handset new my-day.yaml", about: "a scenario of your own to begin with" },
          ],
        }),
      );
    }
    return exitCode;
  } catch (error) {
    const isOurs = error instanceof LabError || error instanceof StoreError;
    if (flags.json === true && isOurs && exitCodeOf(error) === 3) {
      io.stdout.write(`${JSON.stringify(resultOfNoRun(loaded, error.message))}\n`);
    }
    throw error;
  } finally {
    progress?.end();
    stopListening();
  }
}

const examples = `
Examples:
  handset run scenarios/first-day.yaml
  handset run scenarios/power-cut.yaml --receiver http://127.0.0.1:8080/events --wait 30s
  handset run my-day.yaml --set handsets.clinic.count=4000 --receiver none --json
  handset run my-day.yaml --receiver http://127.0.0.1:8080/ -- python3 -m my_receiver
  handset run my-day.yaml -r http://127.0.0.1:8080/ --api 8090 --settle 200ms

Exit codes: 0 all held, 1 an expectation or the ledger did not, 2 wrong usage or scenario,
3 the environment (no receiver, a port, the disk), 70 a defect of handset-lab.`;
