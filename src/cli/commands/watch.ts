import { setTimeout as sleep } from "node:timers/promises";
import { Chalk } from "chalk";
import { Command } from "commander";
import { FleetFolder } from "../../fleet/index.js";
import { UsageError } from "../failures.js";
import { duration } from "../options/values.js";
import { fleetJson, fleetLine, fleetScreen } from "../printing/fleet-lines.js";
import type { ExitCode, Io } from "../terminal/io.js";
import { liveOn } from "../terminal/live-lines.js";

/** Intervals of a terminal and of a log. Wall milliseconds. */
const REDRAW_MS = 500;
const LINE_MS = 10_000;

interface Flags {
  readonly every?: number;
  readonly once?: true;
  readonly json?: true;
}

export function watchCommand(io: Io, end: (code: ExitCode) => void): Command {
  return new Command("watch")
    .description(
      "Shows the parts of a fleet while they play: their joint rate, latency and lateness, and the state of each. " +
        "Latencies are those of all requests together, not an average. Ends when all parts have ended.",
    )
    .argument("<folder>", "the folder of run --start-when-all-ready")
    .option("--every <duration>", "interval (default: live in a terminal, 10s elsewhere)", duration)
    .option("--once", "show the parts once")
    .option("--json", "print one JSON object each time")
    .addHelpText("after", examples)
    .action(async (path: string, flags: Flags) => {
      end(await watch(path, flags, io));
    });
}

async function watch(path: string, { every, once, json }: Flags, io: Io): Promise<ExitCode> {
  if (every === 0) throw new UsageError("--every must be longer than 0");
  const folder = new FleetFolder(path);
  const live = json === true || once === true || every !== undefined ? undefined : await liveOn(io.stderr);
  const { columns, colours } = io.stderr;
  const paint = new Chalk({ level: colours });
  const controller = new AbortController();
  const stopListening = io.onInterrupt(() => controller.abort());
  try {
    for (;;) {
      const view = folder.view();
      if (json === true) io.stdout.write(`${JSON.stringify(fleetJson(view))}\n`);
      else if (live !== undefined) live(fleetScreen(view, { columns, paint }));
      else if (once === true)
        io.stdout.write(`${fleetScreen(view, { columns: io.stdout.columns, paint: new Chalk({ level: 0 }) })}\n`);
      else io.stdout.write(`${fleetLine(view)}\n`);
      const hasEnded = view.parts.every(({ state }) => state === "ended");
      if (hasEnded || once === true || controller.signal.aborted) return 0;
      const ms = every ?? (live === undefined ? LINE_MS : REDRAW_MS);
      await sleep(ms, undefined, { signal: controller.signal }).catch(() => undefined);
    }
  } finally {
    stopListening();
  }
}

const examples = `
Examples:
  handset watch /shared/run-1                      live, in a terminal
  handset watch /shared/run-1 --every 30s          a line every 30 s
  handset watch /shared/run-1 --once --json        once, for programs

Exit codes: 0 all parts have ended, or Ctrl-C; 2 the folder is not of a fleet.`;
