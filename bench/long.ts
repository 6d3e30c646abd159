import { join } from "node:path";
import { Connection } from "../src/store/sqlite/connection.js";
import { besideNginx } from "./peers.js";
import { play } from "./pipeline.js";
import { count } from "./rates.js";
import { medianOf, printTable } from "./table.js";

/** nginx's CPU is read so often, in milliseconds. */
const SAMPLED_MS = 200;

/** A stretch of the run, by its events. */
interface Stretch {
  /** The median of its seconds. */
  readonly perSecond: number;
  /** nginx's CPU for a request, microseconds. */
  readonly peerUs: number;
}

/**
 * Ten million events in one run: does it slow down? The run takes minutes, in which the machine's own speed may change by more than
 * what is looked for; what a request costs nginx, which does always the same, tells by how much.
 */
export async function benchLong(): Promise<void> {
  console.log("Ten million events in one run, everything recorded\n");
  await besideNginx(async ({ folder, nginx }) => {
    const samples: { readonly atMs: number; readonly cpuMs: number }[] = [];
    const sampler = setInterval(() => samples.push({ atMs: performance.now(), cpuMs: nginx.cpuMs() }), SAMPLED_MS);
    try {
      const recording = join(folder, "long.db");
      const options = ["--pace", "max", "--set", "lasts=20200s", "--max-size", "60GiB"];
      const { attempts, maxRssMiB } = await play(nginx.url, recording, options);
      const firstCpuMs = samples[0]?.cpuMs ?? 0;
      // The recording counts from its first request, which is when nginx began to work.
      const bornMs = samples.find(({ cpuMs }) => cpuMs > firstCpuMs + 20)?.atMs ?? NaN;
      const cpuAt = (wallMs: number): number => samples.find(({ atMs }) => atMs >= bornMs + wallMs)?.cpuMs ?? NaN;
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
        const peerMs = cpuAt(sentAt(to)) - cpuAt(sentAt(from));
        return { perSecond: medianOf(counts), peerUs: (peerMs * 1000) / (to - from) };
      };
      const early = stretch(500_000, 1_500_000);
      const late = stretch(9_000_000, 10_000_000);
      database.close();
      const ratio = late.perSecond / early.perSecond;
      const us = ({ peerUs }: Stretch): string => `${peerUs.toFixed(1)} us`;
      printTable(
        ["what", "measured", "must", "aim"],
        [
          ["events", count(attempts.accepted), "", ""],
          ["median of a second, events 0.5-1.5 M", count(early.perSecond), "", ""],
          ["median of a second, events 9-10 M", count(late.perSecond), "", ""],
          ["late / early", ratio.toFixed(2), "0.9", "1"],
          ["nginx's CPU for a request, early and late", `${us(early)}, ${us(late)}`, "", ""],
          ["late / early, beside nginx's CPU", ((ratio * late.peerUs) / early.peerUs).toFixed(2), "0.9", "1"],
          ["resident memory", `${maxRssMiB.toFixed(0)} MiB`, "", ""],
        ],
      );
    } finally {
      clearInterval(sampler);
    }
  });
}
