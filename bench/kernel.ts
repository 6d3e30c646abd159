import { Kernel, type Timer } from "../src/sim/index.js";
import { medianOf, printTable } from "./table.js";

/** One object a handset, so that each event touches different cache lines, as in a run. */
interface Phone {
  polls: number;
  timer: Timer | undefined;
}

/** Cost of one event in nanoseconds when `count` handsets each keep one timer up to 20 minutes ahead. */
export function eventCostNs(count: number, events: number): number {
  const kernel = new Kernel();
  let state = 12_345;
  const draw = (): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return state / 0x7fff_ffff;
  };
  const fire = (phone: Phone): void => {
    phone.polls++;
    // A handset that polls sets its timer again.
    if (phone.timer !== undefined) kernel.reschedule(phone.timer, Math.floor(draw() * 1_200_000), fire);
  };
  for (let index = 0; index < count; index++) {
    const phone: Phone = { polls: 0, timer: undefined };
    phone.timer = kernel.at(Math.floor(draw() * 1_200_000), fire, phone);
  }
  for (let step = 0; step < count; step++) kernel.step();
  const startedAt = performance.now();
  for (let step = 0; step < events; step++) kernel.step();
  return ((performance.now() - startedAt) / events) * 1e6;
}

/** The cost of one event must grow at most 5x from 1,000 to 1,000,000 handsets. */
export function benchKernel(): void {
  console.log("Kernel: cost of one event\n");
  eventCostNs(1000, 1_000_000);
  const counts = [1000, 10_000, 100_000, 1_000_000];
  // Alternates the counts, so that noise of other processes affects all alike.
  const rounds = Array.from({ length: 5 }, () => counts.map((count) => eventCostNs(count, 2_000_000)));
  const costs = counts.map((count, index) => ({ count, ns: medianOf(rounds.map((round) => round[index] ?? NaN)) }));
  const [first] = costs;
  printTable(
    ["handsets", "ns/event", "ratio to 1,000"],
    costs.map(({ count, ns }) => [
      count.toLocaleString("en-US"),
      ns.toFixed(0),
      `${(ns / (first?.ns ?? ns)).toFixed(2)}x`,
    ]),
  );
}
