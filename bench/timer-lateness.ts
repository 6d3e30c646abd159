import { setImmediate as nextTurn, setTimeout as wait } from "node:timers/promises";
import { medianOf } from "./table.js";

/** How late a loop that only waits on Node's timers notices each due time, in milliseconds. */
export async function timerLateness({
  ratePerSecond,
  seconds,
}: {
  readonly ratePerSecond: number;
  readonly seconds: number;
}): Promise<{ readonly p50: number; readonly p99: number; readonly max: number }> {
  const late: number[] = [];
  const total = ratePerSecond * seconds;
  const startedAt = performance.now();
  const dueAt = (count: number): number => startedAt + (count * 1000) / ratePerSecond;
  while (late.length < total) {
    const now = performance.now();
    while (late.length < total && dueAt(late.length) <= now) late.push(now - dueAt(late.length));
    const restMs = dueAt(late.length) - performance.now();
    if (restMs < 1) await nextTurn();
    else await wait(restMs);
  }
  late.sort((a, b) => a - b);
  return { p50: medianOf(late), p99: late[Math.floor(late.length * 0.99)] ?? 0, max: late.at(-1) ?? 0 };
}
