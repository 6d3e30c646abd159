import { join } from "node:path";
import { Connection } from "../src/store/sqlite/connection.js";
import { withNginx } from "./peers.js";
import { play } from "./command.js";
import { formatCount } from "./rates.js";
import { medianOf, printTable } from "./table.js";

/** How often nginx's CPU time is read. */
const SAMPLE_EVERY_MS = 200;

/** A million events of the run. */
interface Stretch {
  /** Median of the events in each second. */
  readonly perSecond: number;
  /** nginx's CPU time for a request, microseconds. */
  readonly nginxUs: number;
}

/**
 * Ten million events in one run: does the rate fall as the recording grows? The run takes minutes, and a shared machine's
 * speed may change meanwhile. nginx does the same work for each request, so its CPU time measures the machine's speed.
 */
export async function benchLong(): Promise<void> {
  console.log("Ten million events in one run, everything recorded\n");
  await withNginx(async ({ folder, nginx }) => {
    const samples: { readonly atMs: number; readonly cpuMs: number }[] = [];
    const sampler = setInterval(() => samples.push({ atMs: performance.now(), cpuMs: nginx.cpuMs() }), SAMPLE_EVERY_MS);
    try {
      const recording = join(folder, "long.db");
      const options = ["--pace", "max", "--set", "lasts=20200s", "--max-size", "60GiB"];
      const { attempts, maxRssMiB } = await play(nginx.url, recording, options);
      const firstCpuMs = samples[0]?.cpuMs ?? 0;
      // Times of attempts count from the first request, when nginx starts to work.
      const firstRequestMs = samples.find(({ cpuMs }) => cpuMs > firstCpuMs + 20)?.atMs ?? NaN;
      const cpuAt = (wallMs: number): number =>
        samples.find(({ atMs }) => atMs >= firstRequestMs + wallMs)?.cpuMs ?? NaN;
      const database = new Connection(recording, { readonly: true });
      const stretch = (from: number, to: number): Stretch => {
        const counts = database
          .prepare<[number, number], number>(
            "SELECT count(*) FROM attempt WHERE row > ? AND row <= ? GROUP BY cast(sent_wall_ms / 1000 AS INTEGER) ORDER BY 1",
            "value",
          )
          .all(from, to);
        const sentAt = (row: number): number =>
          database.prepare<[number], number>("SELECT sent_wall_ms FROM attempt WHERE row = ?", "value").get(row) ?? NaN;
        const nginxMs = cpuAt(sentAt(to)) - cpuAt(sentAt(from));
        return { perSecond: medianOf(counts), nginxUs: (nginxMs * 1000) / (to - from) };
      };
      const early = stretch(500_000, 1_500_000);
      const late = stretch(9_000_000, 10_000_000);
      database.close();
      const ratio = late.perSecond / early.perSecond;
      const us = ({ nginxUs }: Stretch): string => `${nginxUs.toFixed(1)} us`;
      printTable(
        ["what", "measured", "target"],
        [
          ["events", formatCount(attempts.accepted), ""],
          ["median of a second, events 0.5-1.5 M", formatCount(early.perSecond), ""],
          ["median of a second, events 9-10 M", formatCount(late.perSecond), ""],
          ["late / early", ratio.toFixed(2), "0.9"],
          ["nginx's CPU a request, early and late", `${us(early)}, ${us(late)}`, ""],
          ["late / early, corrected by nginx's CPU", ((ratio * late.nginxUs) / early.nginxUs).toFixed(2), "0.9"],
          ["resident memory", `${maxRssMiB.toFixed(0)} MiB`, ""],
        ],
      );
    } finally {
      clearInterval(sampler);
    }
  });
}
