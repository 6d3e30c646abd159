import { Command } from "commander";
import { COMMAND_RECEIVER } from "../../run/index.js";
import { kindOfFile } from "../../scenario/index.js";
import { exploredJson, exploreScenario, type ExploreProgress, renderExplored } from "../../study/index.js";
import { UsageError } from "../failures.js";
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

/** Wall milliseconds of a search, unless told otherwise. */
const FOR_MS = 600_000;

interface Flags {
  readonly receiver?: string;
  readonly while: readonly string[];
  readonly reset?: string;
  readonly for?: number;
  readonly trials?: number;
  readonly failures?: number;
  readonly seed?: number;
  readonly output: string;
  readonly allowHost: readonly string[];
  readonly wait?: number;
  readonly json?: true;
  readonly quiet?: true;
}

export function exploreCommand(io: Io, end: (code: ExitCode) => void): Command {
  return new Command("explore")
    .description(
      "Varies the story, times and troubles of a scenario, guided by what your receiver has not answered before, until it fails; " +
        "each different failure is minimised and written as a bug file. " +
        "Exit codes: 0 no failure found, 1 failures found, 2 usage, 3 no receiver.",
    )
    .argument("<scenario>", "a small scenario: its people, handsets and texts are what is varied")
    .argument("[command...]", "after --: starts your receiver again for each trial; {port} stands for its port")
    .option(
      "-r, --receiver <url>",
      `address of the receiver; http://127.0.0.1:{port}/ starts the next one in time (default with a command: ${COMMAND_RECEIVER})`,
    )
    .addOption(
      repeatable(
        "--while <condition>",
        "when a trial fails, with the conditions of handset minimise; repeated: all must hold",
        "status >= 500, timeout or closed",
      ),
    )
    .option("--reset <how>", 'before each trial: "POST URL", "POST /reset", or a command')
    .option("--for <duration>", "explore so long, minimising aside (default: 10m)", duration)
    .option("--trials <n>", "end after n trials", wholeNumber)
    .option("--failures <n>", "end after n different failures", wholeNumber)
    .option("--seed <n>", "the source of all chance (default: 1)", wholeNumber)
    .option("-o, --output <folder>", "where the bug files are written", "bugs")
    .addOption(allowHost())
    .option("--wait <duration>", "wait for the receiver to come up (default: 30s with a command)", duration)
    .option("--json", "print the result as one JSON object")
    .option("-q, --quiet", "no progress")
    .action(async (path: string, words: readonly string[], flags: Flags) => end(await explore(path, words, flags, io)));
}

async function explore(path: string, command: readonly string[], flags: Flags, io: Io): Promise<ExitCode> {
  const { receiver, seed = 1, for: forMs = FOR_MS, trials, failures, output, reset, allowHost: allowHosts } = flags;
  requireReceiver(receiver, command);
  const condition = conditionOf(flags.while);
  const text = readText(path);
  if (kindOfFile(text) === "exact") {
    throw new UsageError(`${path} has exact requests, which cannot be varied`, "name a scenario");
  }
  if ((await readScenario({ file: path, text }, io)) === undefined) return 2;
  const { signal, stopListening } = listenForInterrupt(io);
  const live = flags.quiet === true || flags.json === true ? undefined : await liveOn(io.stderr);
  try {
    const result = await exploreScenario(text, {
      path,
      command,
      receiver,
      reset,
      condition,
      seed,
      forMs,
      trials,
      failures,
      output,
      allowHosts,
      waitMs: flags.wait,
      signal,
      onProgress: (progress) => live?.(lineOf(progress, forMs)),
    });
    live?.clear();
    if (flags.json === true) io.stdout.write(`${JSON.stringify(exploredJson(result))}\n`);
    else {
      const play = (bug: string): string => bugCommand(bug, receiver, command);
      const page = { colour: io.stdout.colours > 0, width: io.stdout.columns, play };
      writePainted(io.stdout, renderExplored(result, page));
    }
    if (result.found.length > 0) return 1;
    return result.trouble === "" ? 0 : 3;
  } finally {
    live?.clear();
    stopListening();
  }
}

/** The condition of `--while`; undefined: none is given. @throws UsageError */
function conditionOf(texts: readonly string[]) {
  if (texts.length === 0) return undefined;
  const read = whileCondition(texts);
  if (!("auto" in read)) return read.condition;
  throw new UsageError(
    "--while auto takes what a failing source shows, and explore begins without a failure: name a condition, or leave it out",
  );
}

/** `explore   1,204 trials   8.1/s   41 behaviours   1 failure   7m left` */
function lineOf({ phase, trials, behaviours, failures, elapsedMs }: ExploreProgress, forMs: number): string {
  const rate = (trials / Math.max(0.001, elapsedMs / 1000)).toFixed(1);
  const left = Math.max(0, Math.ceil((forMs - elapsedMs) / 1000));
  const rest = left >= 120 ? `${Math.ceil(left / 60)} min left` : `${left} s left`;
  return `${phase}   ${count(trials)} trials, ${rate}/s   ${count(behaviours)} behaviours   ${count(failures)} failures   ${rest}`;
}
