import { describe, expect, it } from "vitest";
import { Streams } from "../../src/sim/index.js";
import { type Capacity, searchCapacity } from "../../src/study/capacity.js";
import { growingQueue, type Noise, type QueueModel, virtualStudy, workers } from "./virtual-port.js";

const SEEDS = 30;

/** Receivers with a maximum rate per second. */
const kinds: Readonly<Record<string, (perSecond: number) => QueueModel>> = {
  "ten workers": (perSecond) => workers(10, 10_000 / perSecond),
  "one worker": (perSecond) => workers(1, 1000 / perSecond),
  "a growing queue": (perSecond) => growingQueue(perSecond, 20),
};

const calm: Noise = { stallsPerSecond: 0, stallMs: 0 };
const busy: Noise = { stallsPerSecond: 2, stallMs: 60 };

interface Searched {
  readonly capacity: Capacity;
  readonly truth: number;
  readonly tookMs: number;
}

/** A search for a limit between 40 and 640 per second, drawn from the seed. */
async function searched(kind: string, noise: Noise, seed: number): Promise<Searched> {
  const truth = 40 * 2 ** (4 * new Streams(seed).get("truth").next());
  const study = virtualStudy((kinds[kind] ?? growing)(truth), { seed, noise });
  const capacity = await searchCapacity(study.play, {
    from: 0.5,
    isFromEasiest: false,
    trials: 1,
    precision: 0.1,
    round: (value) => Number(value.toPrecision(3)),
    endsBy: (length) => (study.budget.fits(length) ? undefined : "time"),
  });
  return { capacity, truth, tookMs: study.tookMs() };
}

const growing = (perSecond: number): QueueModel => growingQueue(perSecond, 20);

describe("a search on a virtual clock", () => {
  it.each(
    Object.keys(kinds).flatMap((kind) => [
      { kind, machine: "calm", noise: calm },
      { kind, machine: "busy", noise: busy },
    ]),
  )("finds the limit of $kind to 10 % in two minutes on a $machine machine", async ({ kind, noise }) => {
    let within = 0;
    let covered = 0;
    for (let seed = 1; seed <= SEEDS; seed++) {
      const { capacity, truth, tookMs } = await searched(kind, noise, seed);
      expect(tookMs).toBeLessThanOrEqual(122_000);
      const { value = NaN, low = NaN, high = NaN } = capacity.knee ?? {};
      if (Math.abs(value / truth - 1) <= 0.1) within++;
      if (low <= truth && truth <= high) covered++;
    }
    expect(within / SEEDS).toBeGreaterThanOrEqual(0.9);
    expect(covered / SEEDS).toBeGreaterThanOrEqual(0.85);
  });
});
