import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseScenario, type Progress, runScenario } from "../src/index.js";
import { eventCostNs } from "./kernel.js";
import { printTable } from "./table.js";

/** What the run in its own process says of itself. */
interface Measured {
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly maxRssMiB: number;
  readonly steps: number;
  readonly events: number;
  readonly texts: number;
  readonly recordingMiB: number;
}

/** Plays the fleet once, in this process: so that its memory is its own. */
export async function measureFleet(): Promise<void> {
  const file = fileURLToPath(new URL("../../bench/fleet.yaml", import.meta.url));
  const { scenario } = parseScenario(readFileSync(file, "utf8"), { file, nowMs: 0, set: process.argv.slice(3) });
  if (scenario === undefined) throw new Error("bench/fleet.yaml does not parse");
  const folder = mkdtempSync(join(tmpdir(), "handset-bench-"));
  try {
    const recording = join(folder, "fleet.db");
    let progress: (() => Progress) | undefined;
    const startedAt = performance.now();
    const { result, exitCode } = await runScenario(scenario, {
      recording,
      onStart: (start) => {
        progress = () => start.progress();
      },
    });
    const seconds = (performance.now() - startedAt) / 1000;
    if (exitCode !== 0) throw new Error(`the run ended with ${exitCode}: ${result.problems.join("; ")}`);
    const usage = process.resourceUsage();
    const measured: Measured = {
      seconds,
      cpuSeconds: (usage.userCPUTime + usage.systemCPUTime) / 1e6,
      maxRssMiB: usage.maxRSS / 1024,
      steps: progress?.().steps ?? 0,
      events: Object.values(result.events).reduce((sum, count) => sum + count, 0),
      texts: result.ledger.texts.in,
      recordingMiB: statSync(recording).size / 2 ** 20,
    };
    console.log(JSON.stringify(measured));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** 10,000 phones for 24 virtual hours, everything recorded: under 30 s and 1 GiB; and beside a bare event loop. */
export function benchFleet(): void {
  console.log("Fleet: 10,000 phones, 24 h, 12 texts in and 12 out each, profile plain, no receiver, all recorded\n");
  const main = fileURLToPath(new URL("main.js", import.meta.url));
  const child = spawnSync(process.execPath, [main, "measure-fleet"], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (child.status !== 0) throw new Error("the fleet did not run");
  const fleet = JSON.parse(child.stdout) as Measured;
  const bareSeconds = (eventCostNs(10_000, fleet.steps) * fleet.steps) / 1e9;
  printTable(
    ["what", "measured", "must", "aim"],
    [
      ["wall time", `${fleet.seconds.toFixed(1)} s`, "30 s", "15 s"],
      ["CPU time", `${fleet.cpuSeconds.toFixed(1)} s`, "", ""],
      ["resident memory", `${fleet.maxRssMiB.toFixed(0)} MiB`, "1,024 MiB", ""],
      ["bare event loop, as many steps", `${bareSeconds.toFixed(1)} s`, "", ""],
      ["fleet / bare event loop", `${(fleet.seconds / bareSeconds).toFixed(1)}x`, "", ""],
    ],
  );
  const per = (count: number): string => `${((fleet.seconds / count) * 1e6).toFixed(1)} us each`;
  printTable(
    ["work", "count", "wall time"],
    [
      ["steps of the kernel", fleet.steps.toLocaleString("en-US"), per(fleet.steps)],
      ["texts", fleet.texts.toLocaleString("en-US"), per(fleet.texts)],
      ["events", fleet.events.toLocaleString("en-US"), per(fleet.events)],
      ["recording", `${fleet.recordingMiB.toFixed(0)} MiB`, ""],
    ],
  );
}
