import { writeFileSync } from "node:fs";
import { Command, Option } from "commander";
import {
  bundledReceivers,
  ownReceivers,
  playCommand,
  playZoo,
  readZoo,
  renderPlayed,
  renderZooJunit,
  renderZooList,
  renderZooSummary,
} from "../../study/index.js";
import { spellings } from "../../wire/index.js";
import { UsageError } from "../failures.js";
import { defined } from "../options/defined.js";
import { allowHost } from "../options/repeatable.js";
import { duration } from "../options/values.js";
import type { ExitCode, Io } from "../terminal/io.js";
import { writePainted } from "../terminal/paint.js";
import { RunTerminal } from "../terminal/run-terminal.js";

interface Flags {
  readonly receiver?: string;
  readonly list?: true;
  readonly reset?: string;
  readonly spelling?: string;
  readonly allowHost: readonly string[];
  readonly wait?: number;
  readonly giveUpAfter?: number;
  readonly json?: true;
  readonly junit?: string;
  /** `--no-keep`: false. */
  readonly keep: string | false;
}

export function zooCommand(io: Io, end: (code: ExitCode) => void): Command {
  return new Command("zoo")
    .description(
      "Plays the failures of the field in scenarios/field/, one after the other, at a receiver, and says which of them " +
        "it does not bear. A scenario that says nothing about this receiver is untested, with the reason.",
    )
    .argument(
      "[names...]",
      "scenarios (default: all); after --: a command that starts your receiver for each; {port} stands for its port",
    )
    .option(
      "-r, --receiver <url>",
      "address of your receiver; http://127.0.0.1:{port}/ lets several run at a time (default: the bundled one, with its right application)",
    )
    .option("--list", "print the scenarios with their stories and sources, and play none")
    .option("--reset <how>", "before each scenario: 'POST URL', 'POST /path', or a shell command")
    .addOption(new Option("--spelling <spelling>", "names of the fields (default: both)").choices(spellings))
    .addOption(allowHost())
    .option("--wait <duration>", "wait for the receiver to come up (default: 30s with a command)", duration)
    .option("--give-up-after <duration>", "end after this time without an answer (default: 60s)", duration)
    .option("--keep <folder>", "where the recordings of failed scenarios are kept", "recordings")
    .option("--no-keep", "keep no recording")
    .option("--json", "print the result as one JSON object")
    .option("--junit <file>", "also write the result as JUnit XML")
    .addHelpText("after", examples)
    .action(async (words: string[], flags: Flags, command: Command) => {
      end(await play(splitAtDashes(words, command), flags, io));
    });
}

interface Words {
  readonly names: readonly string[];
  readonly command: readonly string[];
}

/** Words before `--` are names, those after it start the receiver. */
function splitAtDashes(words: readonly string[], { parent }: Command): Words {
  const { rawArgs = [] } = parent as Command & { readonly rawArgs?: readonly string[] };
  const at = rawArgs.indexOf("--");
  const names = words.slice(0, at < 0 ? words.length : words.length - (rawArgs.length - at - 1));
  return { names, command: words.slice(names.length) };
}

async function play({ names, command }: Words, flags: Flags, io: Io): Promise<ExitCode> {
  const page = { colour: io.stdout.colours > 0, width: io.stdout.columns };
  const files = readZoo({ names, spelling: flags.spelling });
  if (flags.list === true) {
    if (flags.json === true) {
      const list = files.map(({ name, title, story, field }) => ({ name, title, story, ...field }));
      io.stdout.write(`${JSON.stringify(list)}\n`);
    } else writePainted(io.stdout, renderZooList(files, page));
    return 0;
  }
  const isOwn = flags.receiver !== undefined || command.length > 0;
  if (flags.reset !== undefined && !isOwn)
    throw new UsageError("--reset is for a receiver of yours: name it with -r URL");
  const terminal = await RunTerminal.open(io, { isQuiet: true });
  try {
    const { signal } = terminal;
    const { receiver, reset, wait: waitMs, allowHost: allowHosts } = flags;
    const receivers = isOwn
      ? await ownReceivers({ receiver, command, reset, waitMs, allowHosts, signal })
      : bundledReceivers();
    const words = { receiver: isOwn ? receivers.name : undefined, command, isFresh: receivers.isFresh };
    const startedWallMs = Date.now();
    const result = await playZoo({
      files,
      receivers,
      signal,
      allowHosts,
      keepIn: flags.keep === false ? undefined : flags.keep,
      ...defined({ giveUpAfterMs: flags.giveUpAfter }),
      onPlayed: (played) => {
        if (flags.json !== true) writePainted(io.stdout, renderPlayed(played, page, words));
      },
    });
    if (flags.json === true) {
      const played = result.files.map((one) => ({ ...one, play: playCommand(one.name, words) }));
      io.stdout.write(`${JSON.stringify({ receiver: receivers.name, ...result, files: played })}\n`);
    } else writePainted(io.stdout, renderZooSummary(result, page, words));
    if (flags.junit !== undefined) writeFileSync(flags.junit, renderZooJunit(result, words, startedWallMs));
    if (result.failed > 0) return 1;
    if (result.left === 0) return 0;
    return result.stopped === undefined ? 1 : 3;
  } finally {
    terminal.close();
  }
}

const examples = `
Examples:
  handset zoo --list
  handset zoo -r http://127.0.0.1:8080/events --reset "POST /reset"
  handset zoo one-text-two-webhooks -r http://127.0.0.1:8080/events
  handset zoo -r http://127.0.0.1:8080/events --junit zoo.xml -- node receiver.js
  handset zoo -r 'http://127.0.0.1:{port}/events' -- node receiver.js {port}

Exit codes: 0 no scenario failed; 1 one failed; 2 wrong usage; 3 no receiver.`;
