import { Command } from "commander";
import { version } from "../lab/index.js";
import { capacityCommand } from "./commands/capacity.js";
import { checkCommand } from "./commands/check.js";
import { doCommand } from "./commands/do.js";
import { eventsCommand } from "./commands/events.js";
import { mergeCommand } from "./commands/merge.js";
import { newCommand } from "./commands/new.js";
import { postCommand } from "./commands/post.js";
import { receiveCommand } from "./commands/receive.js";
import { replayCommand } from "./commands/replay.js";
import { reportCommand } from "./commands/report.js";
import { runCommand } from "./commands/run.js";
import { schemaCommand } from "./commands/schema.js";
import { serveCommand } from "./commands/serve.js";
import { reportFailure } from "./failures.js";
import type { ExitCode, Io } from "./io.js";

/**
 * Carries out one command line.
 *
 * @param argv - without the program's own name
 * @returns the exit code; never throws
 */
export async function runCommandLine(argv: readonly string[], io: Io): Promise<ExitCode> {
  let exitCode: ExitCode = 0;
  const program = new Command("handset")
    .description("A lab of virtual Android relayer phones, and the messaging service behind them.")
    .version(version)
    .showHelpAfterError("(handset --help lists commands, handset COMMAND --help their options)")
    .showSuggestionAfterError()
    .enablePositionalOptions()
    .addHelpText("after", firstSteps);
  const end = (code: ExitCode): void => {
    exitCode = code;
  };
  for (const command of [
    runCommand(io, end),
    serveCommand(io, end),
    doCommand(io, end, argv.includes("do")),
    checkCommand(io, end),
    newCommand(io),
    capacityCommand(io, end),
    replayCommand(io, end),
    postCommand(io, end),
    receiveCommand(io),
    eventsCommand(io),
    reportCommand(io),
    mergeCommand(io, end),
    schemaCommand(io),
  ]) {
    program.addCommand(command);
  }
  for (const command of everyCommand(program)) {
    command.exitOverride().configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      getOutHelpWidth: () => io.stdout.columns,
      getErrHelpWidth: () => io.stderr.columns,
      getOutHasColors: () => io.stdout.colours > 0,
      getErrHasColors: () => io.stderr.colours > 0,
    });
  }
  try {
    await program.parseAsync(argv, { from: "user" });
    return exitCode;
  } catch (error) {
    return reportFailure(error, io, argv);
  }
}

/** A command, its commands, and theirs. */
function everyCommand(command: Command): Command[] {
  return [command, ...command.commands.flatMap(everyCommand)];
}

const firstSteps = `
First steps:
  handset receive --echo                        a receiver to try things on
  handset post mo_sms -r http://127.0.0.1:8080  one event, now, and the answer
  handset new my-day.yaml                       a scenario of your own
  handset run my-day.yaml                       and what follows from it`;
