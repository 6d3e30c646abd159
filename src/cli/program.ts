import { Command, CommanderError } from "commander";
import { printable } from "../wire/index.js";
import type { ExitCode, Io, Output } from "./terminal/io.js";

/** A command in the list of commands. Its module is imported only if its name is on the command line. */
interface Listed {
  readonly name: string;
  readonly summary: string;
  readonly load: (io: Io, end: (code: ExitCode) => void) => Promise<Command>;
}

const commands: readonly Listed[] = [
  {
    name: "run",
    summary: "play a scenario against a receiver",
    load: async (io, end) => (await import("./commands/run.js")).runCommand(io, end),
  },
  {
    name: "serve",
    summary: "start the messaging service: REST API, handsets, explorer page",
    load: async (io, end) => (await import("./commands/serve.js")).serveCommand(io, end),
  },
  {
    name: "do",
    summary: "act on a running lab: the verbs of stories, its clock, its account",
    load: async (io, end) => (await import("./commands/do.js")).doCommand(io, end),
  },
  {
    name: "check",
    summary: "find mistakes in scenarios and accounts without playing them",
    load: async (io, end) => (await import("./commands/check.js")).checkCommand(io, end),
  },
  {
    name: "new",
    summary: "write a commented scenario to start from",
    load: async (io) => (await import("./commands/new.js")).newCommand(io),
  },
  {
    name: "account",
    summary: "read the account of a real service into an account file",
    load: async (io, end) => (await import("./commands/account/account.js")).accountCommand(io, end),
  },
  {
    name: "capacity",
    summary: "find the highest load that a receiver can take",
    load: async (io, end) => (await import("./commands/capacity.js")).capacityCommand(io, end),
  },
  {
    name: "flow",
    summary: "evaluate templates and run flows without a lab: JSON in, JSON out",
    load: async (io, end) => (await import("./commands/flow/flow.js")).flowCommand(io, end),
  },
  {
    name: "import",
    summary: "read a log of the field: its causes; as a recording, as a scenario",
    load: async (io, end) => (await import("./commands/import.js")).importCommand(io, end),
  },
  {
    name: "replay",
    summary: "post the events of a recording or a log again",
    load: async (io, end) => (await import("./commands/replay.js")).replayCommand(io, end),
  },
  {
    name: "diff",
    summary: "play one source at two builds and show where their answers part",
    load: async (io, end) => (await import("./commands/diff.js")).diffCommand(io, end),
  },
  {
    name: "minimise",
    summary: "reduce a failing log, recording or scenario to what matters",
    load: async (io, end) => (await import("./commands/minimise.js")).minimiseCommand(io, end),
  },
  {
    name: "explore",
    summary: "vary a scenario until the receiver fails, guided by its answers",
    load: async (io, end) => (await import("./commands/explore.js")).exploreCommand(io, end),
  },
  {
    name: "audit",
    summary: "find the faults of a receiver without a test: a report card",
    load: async (io, end) => (await import("./commands/audit.js")).auditCommand(io, end),
  },
  {
    name: "zoo",
    summary: "play failures of the field at a receiver: which does it bear?",
    load: async (io, end) => (await import("./commands/zoo.js")).zooCommand(io, end),
  },
  {
    name: "post",
    summary: "post one event now and show the answer",
    load: async (io, end) => (await import("./commands/post.js")).postCommand(io, end),
  },
  {
    name: "receive",
    summary: "start a test receiver that answers, replies or fails as configured",
    load: async (io) => (await import("./commands/receive.js")).receiveCommand(io),
  },
  {
    name: "events",
    summary: "print a recording's events with their attempts, as JSON lines",
    load: async (io) => (await import("./commands/events.js")).eventsCommand(io),
  },
  {
    name: "why",
    summary: "explain what happened to one event or message of a recording",
    load: async (io) => (await import("./commands/why.js")).whyCommand(io),
  },
  {
    name: "reconcile",
    summary: "compare the receiver's own log with what was delivered to it",
    load: async (io, end) => (await import("./commands/reconcile.js")).reconcileCommand(io, end),
  },
  {
    name: "report",
    summary: "write the report of a recording as text, HTML, JSON, JUnit, CSV or HAR",
    load: async (io, end) => (await import("./commands/report.js")).reportCommand(io, end),
  },
  {
    name: "resimulate",
    summary: "play a recording again without the receiver, and show the phones then",
    load: async (io, end) => (await import("./commands/resimulate.js")).resimulateCommand(io, end),
  },
  {
    name: "watch",
    summary: "show the parts of a fleet while they play: joint rate, latency, state",
    load: async (io, end) => (await import("./commands/watch.js")).watchCommand(io, end),
  },
  {
    name: "merge",
    summary: "join the recordings of a fleet's parts into one",
    load: async (io, end) => (await import("./commands/merge.js")).mergeCommand(io, end),
  },
  {
    name: "schema",
    summary: "print the JSON Schema of scenarios or account files, for editors",
    load: async (io) => (await import("./commands/schema.js")).schemaCommand(io),
  },
];

/**
 * Executes one command line.
 *
 * @param argv - without the program's own name
 * @param raw - gets text without control characters, except our own colours
 * @returns the exit code; never throws
 */
export async function runCommandLine(argv: readonly string[], raw: Io): Promise<ExitCode> {
  const io = shielded(raw);
  let exitCode: ExitCode = 0;
  const asksVersion = argv.includes("--version") || argv.includes("-V");
  const program = new Command("handset")
    .description("A lab of virtual Android relayer phones, and the messaging service behind them.")
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .version(asksVersion ? (await import("../base/index.js")).version : "")
    .showHelpAfterError("(handset --help lists commands, handset COMMAND --help their options)")
    .showSuggestionAfterError()
    .enablePositionalOptions()
    .addHelpText("after", firstSteps);
  const end = (code: ExitCode): void => {
    exitCode = code;
  };
  for (const { name, summary, load } of commands) {
    const command = argv.includes(name) ? await load(io, end) : new Command(name);
    program.addCommand(command.summary(summary));
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
    // Commander has already printed it.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    const { reportFailure } = await import("./failures.js");
    return reportFailure(error, io, argv);
  }
}

/** The same streams with control characters escaped: external text cannot control the terminal. */
function shielded(io: Io): Io {
  return { ...io, stdout: shieldedOutput(io.stdout), stderr: shieldedOutput(io.stderr) };
}

function shieldedOutput(output: Output): Output {
  return Object.create(output, {
    write: { value: (text: string) => output.write(printable(text)) },
    painted: { value: (text: string) => output.write(printable(text, { hasStyle: output.colours > 0 })) },
    document: { value: (text: string) => output.write(output.isTTY ? printable(text) : text) },
  }) as Output;
}

/** A command with all its subcommands, recursively. */
function everyCommand(command: Command): Command[] {
  return [command, ...command.commands.flatMap(everyCommand)];
}

const firstSteps = `
First steps:
  handset receive --echo                        start a test receiver
  handset post mo_sms -r http://127.0.0.1:8080  post one event, show the answer
  handset new my-day.yaml                       write your first scenario
  handset run my-day.yaml                       play it`;
