import { setTimeout as sleep } from "node:timers/promises";
import { Chalk } from "chalk";
import { Command } from "commander";
import {
  FleetFolder,
  type FleetView,
  isLive,
  partsMissing,
  PARTS_WAIT_MS,
  silenceText,
  whyNotEnded,
} from "../../fleet/index.js";
import type { LabError } from "../../base/index.js";
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
  readonly wait?: number;
  readonly once?: true;
  readonly json?: true;
}

export function watchCommand(io: Io, end: (code: ExitCode) => void): Command {
  return new Command("watch")
    .description(
      "Shows the parts of a fleet while they play: their joint rate, latency and lateness, and the state of each. " +
        "Latencies are those of all requests together, not an average. Ends when all parts have ended, or when no part " +
        "runs any more.",
    )
    .argument("<folder>", "the folder of run --start-when-all-ready")
    .option("--every <duration>", "interval (default: live in a terminal, 10s elsewhere)", duration)
    .option("--wait <duration>", "how long no part may run before it ends (default: 1m)", duration)
    .option("--once", "show the parts once")
    .option("--json", "print one JSON object each time")
    .addHelpText("after", examples)
    .action(async (path: string, flags: Flags) => {
      end(await watch(path, flags, io));
    });
}

async function watch(path: string, { every, wait = PARTS_WAIT_MS, once, json }: Flags, io: Io): Promise<ExitCode> {
  if (every === 0) throw new UsageError("--every must be longer than 0");
  const folder = new FleetFolder(path);
  const live = json === true || once === true || every !== undefined ? undefined : await liveOn(io.stderr);
  const { columns, colours } = io.stderr;
  const paint = new Chalk({ level: colours });
  const controller = new AbortController();
  const stopListening = io.onInterrupt(() => controller.abort());
  let runAt = performance.now();
  try {
    for (;;) {
      const view = folder.view();
      const hasEnded = view.parts.every(({ state }) => state === "ended");
      if (view.parts.some(isLive)) runAt = performance.now();
      const leftMs = runAt + wait - performance.now();
      // The parts that do not run may be started or resumed meanwhile.
      const isIdle = !hasEnded && !view.parts.some(isLive);
      const note = isIdle && once !== true ? idleText(leftMs) : "";
      if (json === true) io.stdout.write(`${JSON.stringify(fleetJson(view))}\n`);
      else if (live !== undefined) live(fleetScreen(view, { columns, paint, note }));
      else if (once === true)
        io.stdout.write(`${fleetScreen(view, { columns: io.stdout.columns, paint: new Chalk({ level: 0 }) })}\n`);
      else io.stdout.write(`${fleetLine(view, note)}\n`);
      if (once === true || controller.signal.aborted) return 0;
      if (hasEnded) return worstCode(view);
      if (isIdle && leftMs <= 0) throw notEnded(view, wait);
      const ms = every ?? (live === undefined ? LINE_MS : REDRAW_MS);
      const untilMs = isIdle ? Math.min(ms, Math.max(1, leftMs)) : ms;
      await sleep(untilMs, undefined, { signal: controller.signal }).catch(() => undefined);
    }
  } finally {
    stopListening();
  }
}

function idleText(leftMs: number): string {
  return leftMs <= 0 ? "no part runs any more" : `no part runs: this ends in ${silenceText(leftMs)} unless one begins`;
}

/** The exit code of parts that have all ended: the largest of theirs. */
function worstCode({ parts }: FleetView): ExitCode {
  return Math.max(...parts.map(({ status }) => status?.exitCode ?? 0)) as ExitCode;
}

function notEnded({ parts, count, folder }: FleetView, waitMs: number): LabError {
  const missing = parts.filter(({ state }) => state !== "ended");
  const since = waitMs === 0 ? "no part runs" : `no part has run for ${silenceText(waitMs)}`;
  return partsMissing(
    missing.map((view) => ({ part: view.part, why: whyNotEnded(view) })),
    {
      said: `${missing.length} of ${count} parts ${missing.length === 1 ? "has" : "have"} not ended, and ${since}`,
      hint: `start or resume them, and watch again; handset merge ${folder} joins them when all have ended`,
    },
  );
}

const examples = `
Examples:
  handset watch /shared/run-1                      live, in a terminal
  handset watch /shared/run-1 --every 30s          a line every 30 s
  handset watch /shared/run-1 --wait 0s            end as soon as no part runs
  handset watch /shared/run-1 --once --json        once, for programs

Exit codes: when all parts have ended, the largest of theirs (0, 1, 3); 3 no part
has run for --wait, and some have not ended: the message lists them; 0 --once, or
Ctrl-C; 2 the folder is not of a fleet.`;
