import { spawnSync } from "node:child_process";
import { closeSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { command, type CommandResult, play, replayPaced } from "./command.js";
import { withNginx } from "./peers.js";
import { medianOf, printTable } from "./table.js";
import { timerLateness } from "./timer-lateness.js";

const ROUNDS = Number(process.env["BENCH_ROUNDS"] ?? 3);
const SECONDS = 20;
const RATE = 5000;

/** Lines of a log that are shuffled together: a fifth of a second of events. */
const SHUFFLED = 1000;

type Spacing = NonNullable<CommandResult["spacing"]>;

/** How a replay keeps the recorded spacing at 5,000 events/s: as recorded, ten times as fast, and from a log out of order. */
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
      { what: "as recorded, lines out of order", source: shuffledLog(day, join(folder, "day.jsonl")), pace: "1x" },
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

/** The recording's events as a log whose lines are out of order. @returns its path */
function shuffledLog(recording: string, path: string): string {
  const file = openSync(path, "w");
  spawnSync(process.execPath, [command, "events", recording], { stdio: ["ignore", file, "inherit"] });
  closeSync(file);
  const lines = readFileSync(path, "utf8").trimEnd().split("\n");
  // Always the same order, so that rounds compare.
  const keys = lines.map((_, index) => Math.floor(index / SHUFFLED) + ((index * 7919) % SHUFFLED) / SHUFFLED);
  const order = lines.map((_, index) => index).sort((a, b) => (keys[a] ?? 0) - (keys[b] ?? 0));
  writeFileSync(path, `${order.map((index) => lines[index]).join("\n")}\n`);
  return path;
}
