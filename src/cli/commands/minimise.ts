import { Command } from "commander";
import { COMMAND_RECEIVER } from "../../run/index.js";
import { kindOfFile } from "../../scenario/index.js";
import {
  type Minimised,
  minimisedJson,
  type MinimiseOptions,
  minimiseRequests,
  minimiseScenario,
  type MinimiseStep,
  renderMinimised,
  requireNewBugFile,
  writeBugs,
} from "../../study/index.js";
import { allowHost, repeatable } from "../options/repeatable.js";
import { duration, wholeNumber } from "../options/values.js";
import { requireReceiver, whileCondition } from "../options/while-condition.js";
import { bugCommand } from "../printing/bug-command.js";
import { count } from "../printing/numbers.js";
import { readScenario, readText } from "../scenario-file.js";
import { listenForInterrupt } from "../terminal/interrupt.js";
import type { ExitCode, Io } from "../terminal/io.js";
import { liveOn } from "../terminal/live-lines.js";
import { writePainted } from "../terminal/paint.js";

/** What a receiver has for an answer: docs/reference/webhook.md#transport. */
const TIMEOUT_MS = 5000;

interface Flags {
  readonly receiver?: string;
  readonly while: readonly string[];
  readonly reset?: string;
  readonly timeLimit?: number;
  readonly trials?: number;
  readonly seed?: number;
  readonly output?: string;
  readonly overwrite?: true;
  readonly allowHost: readonly string[];
  readonly wait?: number;
  readonly json?: true;
  readonly quiet?: true;
}

export function minimiseCommand(io: Io, end: (code: ExitCode) => void): Command {
  return new Command("minimise")
    .description(
      "Plays a failing log, recording or scenario again and again with less in it, until the same failure needs each part that is left. " +
        "Each trial must start fresh: -- COMMAND starts the receiver for each, --reset resets it. " +
        "Exit codes: 0 minimised, 1 does not fail, 2 usage, 3 no receiver, or one that remembers earlier trials.",
    )
    .argument("<source>", "a recording, a log of the field that import reads, a scenario, or a bug file")
    .argument("[command...]", "after --: starts your receiver again for each trial; {port} stands for its port")
    .option(
      "-r, --receiver <url>",
      `address of the receiver; http://127.0.0.1:{port}/ lets several run at a time (default with a command: ${COMMAND_RECEIVER})`,
    )
    .addOption(
      repeatable(
        "--while <condition>",
        "when it fails: 'status 500', 'status >= 500 of mo_sms', timeout, closed, 'reply /sorry/', 'no reply', hears-twice, 'check { http: GET /health, json: .ok == true }', 'reconcile app.db --query \"SELECT * FROM texts\"'; repeated: all must hold",
        "auto: what the source shows to be wrong",
      ),
    )
    .option("--reset <how>", 'before each trial: "POST URL", "POST /reset", or a command')
    .option("--time-limit <duration>", "end the search after this time (default: 60s)", duration)
    .option("--trials <n>", "try at most n inputs (default: 300)", wholeNumber)
    .option("-o, --output <file>", "write the result as a bug file, which handset run plays")
    .option("--overwrite", "replace an existing bug file")
    .option(
      "--seed <n>",
      "play a scenario with this seed instead of its own; a log or recording has no chance, so there it is only written into the bug file",
      wholeNumber,
    )
    .addOption(allowHost())
    .option("--wait <duration>", "wait for the receiver to come up (default: 30s with a command)", duration)
    .option("--json", "print the result as one JSON object")
    .option("-q, --quiet", "no progress")
    .action(async (path: string, words: readonly string[], flags: Flags) =>
      end(await minimise(path, words, flags, io)),
    );
}

async function minimise(path: string, command: readonly string[], flags: Flags, io: Io): Promise<ExitCode> {
  requireReceiver(flags.receiver, command);
  const read = whileCondition(flags.while);
  const { output, overwrite = false } = flags;
  if (output !== undefined) requireNewBugFile(output, overwrite);
  const scenario = await scenarioIn(path, io);
  if (scenario === "broken") return 2;
  const { signal, stopListening } = listenForInterrupt(io);
  const live = flags.quiet === true || flags.json === true ? undefined : await liveOn(io.stderr);
  try {
    const options: MinimiseOptions = {
      path,
      command,
      receiver: flags.receiver,
      reset: flags.reset,
      condition: "auto" in read ? read : read.condition,
      timeLimitMs: flags.timeLimit,
      trials: flags.trials,
      seed: flags.seed,
      allowHosts: flags.allowHost,
      waitMs: flags.wait,
      signal,
      onStep: (step) => live?.(lineOf(step)),
    };
    const found = await (scenario === "none" ? minimiseRequests(options) : minimiseScenario(scenario.text, options));
    const { seed = 1 } = flags;
    const result =
      output === undefined ? found : writeBugs(found, { file: output, overwrite, seed, timeoutMs: TIMEOUT_MS });
    live?.clear();
    if (flags.json === true) io.stdout.write(`${JSON.stringify(minimisedJson(result))}\n`);
    else {
      const page = { colour: io.stdout.colours > 0, width: io.stdout.columns, next: nextOf(result, flags, command) };
      writePainted(io.stdout, renderMinimised(result, page));
    }
    return exitCodeOf(result);
  } finally {
    live?.clear();
    stopListening();
  }
}

/** The text of a scenario; `none`: the file is no scenario; `broken`: it has errors, which are printed. */
async function scenarioIn(path: string, io: Io): Promise<{ readonly text: string } | "none" | "broken"> {
  if (!/\.ya?ml$/i.test(path)) return "none";
  const text = readText(path);
  if (kindOfFile(text) === "exact") return "none";
  return (await readScenario({ file: path, text }, io)) === undefined ? "broken" : { text };
}

function nextOf({ bug, reproduced }: Minimised, { receiver }: Flags, command: readonly string[]): string[] {
  if (!reproduced) return [];
  if (bug === null) return ["add -o my.bug.yaml to keep it as a bug file"];
  return [bugCommand(bug, receiver, command)];
}

function exitCodeOf({ reproduced, contaminated }: Minimised): ExitCode {
  if (contaminated) return 3;
  return reproduced ? 0 : 1;
}

/** `search   34 trials   10,000 events → 12` */
function lineOf({ phase, trials, events, before }: MinimiseStep): string {
  return `${phase}   ${count(trials)} trials   ${count(before)} events → ${count(events)}`;
}
