import { describe, expect, it } from "vitest";
import { Streams } from "../../src/sim/index.js";
import { searchCapacity } from "../../src/study/capacity.js";
import { type Noise, virtualStudy } from "./virtual-port.js";
import { cliff, growingQueue, type QueueModel, workers } from "./virtual-receivers.js";

const SEEDS = 30;

/** The interval has the limit with 90 %; in 30 searches 24 are at most two standard deviations below that. */
const CLIFFS_COVERED = 0.8;

/** The name of a cliff to 80 %: hardly below the 85 % at which a search begins to tell a collapse. */
const SLIGHT = "a cliff to 80 % until the queue is short";

type Kinds = Readonly<Record<string, (perSecond: number) => QueueModel>>;

/** Receivers with a maximum rate per second. */
const kinds: Kinds = {
  "ten workers": (perSecond) => workers(10, 10_000 / perSecond),
  "one worker": (perSecond) => workers(1, 1000 / perSecond),
  "a growing queue": (perSecond) => growingQueue(perSecond, 20),
};

/** Receivers that handle less than their maximum once they were overloaded. */
const cliffs: Kinds = {
  "a cliff to 40 % until the queue is short": (perSecond) =>
    cliff({ perSecond, remains: 0.4, most: 30, recoversAt: 5 }),
  "a cliff to 60 % without hysteresis": (perSecond) => cliff({ perSecond, remains: 0.6, most: 60, recoversAt: 60 }),
  "a cliff to 60 % for at least 3 s": (perSecond) =>
    cliff({ perSecond, remains: 0.6, most: 60, recoversAt: 10, staysMs: 3000 }),
  [SLIGHT]: (perSecond) => cliff({ perSecond, remains: 0.8, most: 60, recoversAt: 10 }),
  "a cliff to 60 % at 0.4 s of work": (perSecond) =>
    cliff({ perSecond, remains: 0.6, most: Math.max(30, 0.4 * perSecond), recoversAt: 0.05 * perSecond }),
};

const calm: Noise = { stallsPerSecond: 0, stallMs: 0 };
const busy: Noise = { stallsPerSecond: 2, stallMs: 60 };

interface Outcomes {
  /** Searches whose answer is within 10 % of the limit. */
  readonly within: number;
  /** Searches whose interval contains the limit. */
  readonly covered: number;
  /** Searches that say that the receiver collapses. */
  readonly collapsed: number;
}

/** Searches for limits between 40 and 640 per second, one for each seed, in two minutes of virtual time each. */
async function outcomesOf(make: (perSecond: number) => QueueModel, noise: Noise): Promise<Outcomes> {
  let [within, covered, collapsed] = [0, 0, 0];
  for (let seed = 1; seed <= SEEDS; seed++) {
    const truth = 40 * 2 ** (4 * new Streams(seed).get("truth").next());
    const study = virtualStudy(make(truth), { seed, noise });
    const { knee, collapsesTo, contradiction } = await searchCapacity(study.play, {
      from: 0.5,
      isFromEasiest: false,
      trials: 1,
      precision: 0.1,
      round: (value) => Number(value.toPrecision(3)),
      endsBy: (length) => (study.budget.fits(length) ? undefined : "time"),
    });
    expect(study.tookMs()).toBeLessThanOrEqual(122_000);
    expect(contradiction).toBeUndefined();
    const { value = NaN, low = NaN, high = NaN } = knee ?? {};
    if (Math.abs(value / truth - 1) <= 0.1) within++;
    if (low <= truth && truth <= high) covered++;
    if (collapsesTo !== undefined) collapsed++;
  }
  return { within, covered, collapsed };
}

describe("a search on a virtual clock", () => {
  it.each(
    Object.keys(kinds).flatMap((kind) => [
      { kind, machine: "calm", noise: calm },
      { kind, machine: "busy", noise: busy },
    ]),
  )("finds the limit of $kind to 10 % in two minutes on a $machine machine", async ({ kind, noise }) => {
    const { within, covered, collapsed } = await outcomesOf(kinds[kind] ?? growing, noise);
    expect(within / SEEDS).toBeGreaterThanOrEqual(0.9);
    expect(covered / SEEDS).toBeGreaterThanOrEqual(0.85);
    expect(collapsed).toBe(0);
  });

  it.each(Object.keys(cliffs))("finds the last rate before %s to 10 % in two minutes", async (kind) => {
    const { within, covered, collapsed } = await outcomesOf(cliffs[kind] ?? growing, calm);
    expect(within / SEEDS).toBeGreaterThanOrEqual(0.9);
    expect(covered / SEEDS).toBeGreaterThanOrEqual(CLIFFS_COVERED);
    // A slow receiver breaks the bound with a queue that does not make it collapse yet.
    expect(collapsed / SEEDS).toBeGreaterThanOrEqual(kind === SLIGHT ? 0.25 : 0.5);
  });

  it("does not take stalls of a busy machine, which make a receiver collapse, for its limit", async () => {
    const { covered } = await outcomesOf(cliffs["a cliff to 60 % at 0.4 s of work"] ?? growing, busy);
    expect(covered / SEEDS).toBeGreaterThanOrEqual(CLIFFS_COVERED);
  });
});

const growing = (perSecond: number): QueueModel => growingQueue(perSecond, 20);
