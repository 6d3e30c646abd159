import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseScenario, type Progress, runScenario } from "../src/index.js";
import { eventCostNs } from "./kernel.js";
import { printTable } from "./table.js";

/** The figures that the child process prints as JSON. */
interface FleetFigures {
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly maxRssMiB: number;
  readonly steps: number;
  readonly events: number;
  readonly texts: number;
  readonly recordingMiB: number;
}

/** Plays the fleet once and prints its figures. It is the only work of its process, so peak memory is the fleet's. */
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
    if (exitCode !== 0) throw new Error(`the run exited with ${exitCode}: ${result.problems.join("; ")}`);
    const usage = process.resourceUsage();
    const figures: FleetFigures = {
      seconds,
      cpuSeconds: (usage.userCPUTime + usage.systemCPUTime) / 1e6,
      maxRssMiB: usage.maxRSS / 1024,
      steps: progress?.().steps ?? 0,
      events: Object.values(result.events).reduce((sum, count) => sum + count, 0),
      texts: result.ledger.texts.in,
      recordingMiB: statSync(recording).size / 2 ** 20,
    };
    console.log(JSON.stringify(figures));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** 10,000 phones for a day, everything recorded; compared with a bare event loop of the same number of steps. */
export function benchFleet(): void {
  console.log(
    "Fleet: 10,000 phones, 24 h, 12 texts in and 12 out each, profile plain, no receiver, everything recorded\n",
  );
  const main = fileURLToPath(new URL("main.js", import.meta.url));
  const child = spawnSync(process.execPath, [main, "measure-fleet"], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (child.status !== 0) throw new Error(`the fleet's process exited with ${child.status}`);
  const fleet = JSON.parse(child.stdout) as FleetFigures;
  const bareSeconds = (eventCostNs(10_000, fleet.steps) * fleet.steps) / 1e9;
  printTable(
    ["what", "measured", "target"],
    [
      ["wall time", `${fleet.seconds.toFixed(1)} s`, `20 s${fleet.seconds <= 20 ? "" : " MISSED"}`],
      ["CPU time, all threads", `${fleet.cpuSeconds.toFixed(1)} s`, ""],
      ["resident memory", `${fleet.maxRssMiB.toFixed(0)} MiB`, ""],
      ["bare event loop, same number of steps", `${bareSeconds.toFixed(1)} s`, ""],
      ["fleet / bare event loop", `${(fleet.seconds / bareSeconds).toFixed(1)}x`, ""],
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
