import { Command } from "commander";
import { diffReceivers, type DiffSource, isDifferent, renderDiff } from "../../study/index.js";
import { UsageError } from "../failures.js";
import { defined } from "../options/defined.js";
import { type EventFilterFlags, eventFiltersIn, withEventFilters } from "../options/event-filter-options.js";
import { allowHost, ignoreOption, repeatable } from "../options/repeatable.js";
import { duration, wholeNumber } from "../options/values.js";
import { loadScenario } from "../scenario-file.js";
import type { ExitCode, Io } from "../terminal/io.js";
import { writePainted } from "../terminal/paint.js";
import { RunTerminal } from "../terminal/run-terminal.js";

interface Flags extends EventFilterFlags {
  readonly receiver: readonly string[];
  readonly ignore: readonly string[];
  readonly set: readonly string[];
  readonly seed?: number;
  readonly allowHost: readonly string[];
  readonly giveUpAfter?: number;
  readonly wait?: number;
  readonly json?: true;
  readonly quiet?: true;
}

export function diffCommand(io: Io, end: (code: ExitCode) => void): Command {
  const command = new Command("diff")
    .description(
      "Plays one source at two receivers in lockstep, one event after the other, and compares their answers. Shows the " +
        "first divergence, then all. Exit codes: 0 no difference, 1 the answers differ.",
    )
    .argument("<source>", "file of a scenario (.yaml), a recording, or a log of the field that import reads")
    .addOption(repeatable("-r, --receiver <url>", "address of a receiver; give two"))
    .addOption(ignoreOption())
    .addOption(repeatable("--set <path=value>", "changes a value of the scenario"))
    .option("--seed <n>", "seed of the scenario", wholeNumber)
    .addOption(allowHost())
    .option("--give-up-after <duration>", "end after this time without an answer (default: 60s)", duration)
    .option("--wait <duration>", "wait for the receivers to come up", duration)
    .option("--json", "print the result as one JSON object")
    .option("-q, --quiet", "no progress");
  return withEventFilters(command).action(async (path: string, flags: Flags) => end(await diff(path, flags, io)));
}

async function diff(path: string, flags: Flags, io: Io): Promise<ExitCode> {
  const [first, second, ...more] = flags.receiver;
  if (first === undefined || second === undefined || more.length > 0) {
    throw new UsageError(`two receivers are compared, and ${flags.receiver.length} given: -r URL -r URL`);
  }
  const source = await sourceOf(path, flags, io);
  if (source === undefined) return 2;
  const terminal = await RunTerminal.open(io, { isQuiet: flags.quiet === true || flags.json === true });
  try {
    const result = await diffReceivers({
      source,
      receivers: [first, second],
      ignore: flags.ignore,
      allowHosts: flags.allowHost,
      signal: terminal.signal,
      onStart: (start) => terminal.showStart({ name: path, start }),
      ...defined({ giveUpAfterMs: flags.giveUpAfter, waitMs: flags.wait }),
    });
    terminal.endProgress();
    if (flags.json === true) io.stdout.write(`${JSON.stringify(result)}\n`);
    else writePainted(io.stdout, renderDiff(result, { colour: io.stdout.colours > 0, width: io.stdout.columns }));
    return isDifferent(result) ? 1 : 0;
  } finally {
    terminal.close();
  }
}

/** The source in a file; undefined: a scenario with errors, which are printed. */
async function sourceOf(path: string, flags: Flags, io: Io): Promise<DiffSource | undefined> {
  const filters = eventFiltersIn(flags);
  if (!/\.ya?ml$/i.test(path)) return { kind: "recording", path, filters };
  if (filters !== undefined) throw new UsageError("filters choose events of a recording; a scenario plays as a whole");
  const scenario = await loadScenario(path, io, { set: flags.set, ...defined({ seed: flags.seed }) });
  return scenario === undefined ? undefined : { kind: "scenario", scenario };
}
