import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { besideNginx } from "./peers.js";
import { play, program } from "./pipeline.js";
import { printTable } from "./table.js";

/** 100,000 phones that live, and a recording of a million events reported. */
export async function benchSize(): Promise<void> {
  await besideNginx(async ({ folder, nginx }) => {
    const recording = join(folder, "size.db");
    const many = ["--set", "handsets.fleet.count=100000", "--set", "people.people.count=100000", "--set", "lasts=10m"];
    const { maxRssMiB } = await play("none", recording, [...many, "--set", "traffic.0.rate=200/s"]);
    const million = await play(nginx.url, recording, ["--pace", "max", "--set", "lasts=2020s"]);
    const page = join(folder, "size.html");
    const startedAt = performance.now();
    spawnSync(process.execPath, [program, "report", recording, "--format", "html", "-o", page]);
    const seconds = (performance.now() - startedAt) / 1000;
    const events = million.attempts.accepted.toLocaleString("en");
    printTable(
      ["what", "measured", "must", "aim"],
      [
        ["resident memory, 100,000 live handsets", `${maxRssMiB.toFixed(0)} MiB`, "1,024 MiB", "512 MiB"],
        [`HTML report of ${events} events`, `${seconds.toFixed(1)} s`, "10 s", "3 s"],
      ],
    );
  });
}
