import { join } from "node:path";
import { type CommandResult, play, replayPaced } from "./command.js";
import { withNginx } from "./peers.js";
import { medianOf, printTable } from "./table.js";
import { timerLateness } from "./timer-lateness.js";

const ROUNDS = Number(process.env["BENCH_ROUNDS"] ?? 3);
const SECONDS = 20;
const RATE = 5000;

type Spacing = NonNullable<CommandResult["spacing"]>;

/** How a replay keeps the recorded spacing at 5,000 events/s: as recorded, and ten times as fast. */
export async function benchSpacing(): Promise<void> {
  console.log(
    `Spacing of a replay at ${RATE} events a second for ${SECONDS} s, nginx answering 200 {}; ms late, medians of ${ROUNDS} rounds\n`,
  );
  await withNginx(async ({ folder, nginx }) => {
    const record = async (name: string, speed: number): Promise<string> => {
      const recording = join(folder, name);
      const traffic = ["--set", `traffic.0.rate=${RATE / speed}/s`, "--set", `lasts=${SECONDS * speed}s`];
      await play(nginx.url, recording, [...traffic, "--pace", "max"]);
      return recording;
    };
    const [day, slowDay] = [await record("day.db", 1), await record("slow-day.db", 10)];
    const sources = [
      { what: "as recorded", source: day, pace: "1x" },
      { what: "10x", source: slowDay, pace: "10x" },
    ];
    const rows: string[][] = [];
    for (const { what, source, pace } of sources) {
      const rounds: Spacing[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        const { spacing } = await replayPaced(source, nginx.url, pace).catch((error: unknown) => {
          console.log(`${what}: not measured: ${String(error)}\n`);
          return { spacing: undefined };
        });
        if (spacing === undefined) break;
        rounds.push(spacing);
      }
      if (rounds.length > 0) rows.push([what, ...columnsOf(rounds)]);
    }
    const bare = await timerLateness({ ratePerSecond: RATE, seconds: 10 });
    rows.push(["bare timer loop, sends nothing", bare.p50.toFixed(2), bare.p99.toFixed(2), "", "", ""]);
    printTable(["what", "p50", "p99", "p99.9", "drift", "target"], rows);
  });
  console.log(
    "Published of others: wrk2 measures to about 1 ms, because of how long the system sleeps (its README). GoReplay sleeps\n" +
      "between two requests for the difference of their times: a capture of 1.5 s with about 1,000 requests out of order\n" +
      "played for 76 s (its issue 680).\n",
  );
}

function columnsOf(rounds: readonly Spacing[]): string[] {
  const median = (of: (spacing: Spacing) => number): number => medianOf(rounds.map(of));
  const [p50, p99, p999] = [median((one) => one.p50), median((one) => one.p99), median((one) => one.p999)];
  const drift = median(({ drift: share }) => Math.abs(share));
  const isMet = p99 <= 1 && p999 <= 5 && drift <= 0.001;
  return [
    p50.toFixed(2),
    p99.toFixed(2),
    p999.toFixed(2),
    `${(100 * drift).toFixed(4)} %`,
    `p99 1, p99.9 5, drift 0.1 %${isMet ? "" : " MISSED"}`,
  ];
}
