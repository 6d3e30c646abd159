import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { command, play } from "./command.js";
import { withNginx } from "./peers.js";
import { formatCount } from "./rates.js";
import { printTable } from "./table.js";

/** Memory of a run with 100,000 live handsets, and the time of an HTML report of a million events. */
export async function benchSize(): Promise<void> {
  await withNginx(async ({ folder, nginx }) => {
    const recording = join(folder, "size.db");
    const size = ["--set", "handsets.fleet.count=100000", "--set", "people.people.count=100000", "--set", "lasts=10m"];
    const { maxRssMiB } = await play("none", recording, [...size, "--set", "traffic.0.rate=200/s"]);
    const million = await play(nginx.url, recording, ["--pace", "max", "--set", "lasts=2020s"]);
    const page = join(folder, "size.html");
    const startedAt = performance.now();
    const { status } = spawnSync(process.execPath, [command, "report", recording, "--format", "html", "-o", page]);
    const seconds = (performance.now() - startedAt) / 1000;
    if (status !== 0) throw new Error(`handset report exited with ${status}`);
    const targetMiB = 0.6 * 1024;
    printTable(
      ["what", "measured", "target"],
      [
        [
          "resident memory, 100,000 live handsets",
          `${maxRssMiB.toFixed(0)} MiB`,
          `${targetMiB.toFixed(0)} MiB${maxRssMiB <= targetMiB ? "" : " MISSED"}`,
        ],
        [`HTML report of ${formatCount(million.attempts.accepted)} events`, `${seconds.toFixed(1)} s`, ""],
      ],
    );
  });
}
