import type { Kernel, SimTime } from "../sim/index.js";
import type { SampleRow } from "../store/index.js";
import type { World } from "../world/index.js";

/** Samples from the start to `lastsMs`: as many as a chart can show. A drain adds samples at the same interval. */
const SAMPLES = 300;

/** Shortest interval of samples, except before the last one: virtual milliseconds. */
const SAMPLE_MS_MIN = 1000;

/** Upper bound of phones read per group: a sample of them takes tenths of a millisecond. */
const PHONES_MAX = 2000;

/** Timer order that runs last within an instant. */
const LAST = Number.MAX_SAFE_INTEGER;

/** The world to sample, when, and where the samples go. */
export interface SamplerOptions {
  readonly kernel: Kernel;
  readonly world: World;
  /** Infinity: no samples, which would grow the recording without bound. */
  readonly lastsMs: SimTime;
  /** The end of the drain; default `lastsMs`. */
  readonly untilMs?: SimTime;
  /** Wall milliseconds since the run's sender was made. */
  readonly wall: () => number;
  readonly record: (row: SampleRow) => void;
}

/**
 * Samples the fleet's state at regular instants. It changes nothing in the world and draws from no random stream.
 *
 * Of a group with more than 2,000 phones it reads 2,000, spread evenly, and scales the counts up to the group; the mean
 * and the minimum battery are of the phones that were read.
 */
export function sampleFleet(options: SamplerOptions): void {
  const { kernel, lastsMs, untilMs = lastsMs } = options;
  if (lastsMs === Infinity) return;
  const everyMs = Math.max(SAMPLE_MS_MIN, Math.ceil(lastsMs / SAMPLES));
  const sample = (): void => {
    sampleNow(options);
    const nextAtMs = Math.min(kernel.now + everyMs, untilMs);
    if (nextAtMs > kernel.now) kernel.at(nextAtMs, sample, undefined, LAST);
  };
  kernel.at(kernel.now, sample, undefined, LAST);
}

function sampleNow({ kernel, world, wall, record }: SamplerOptions): void {
  const wallMs = wall();
  for (const { name, handsets, survey } of world.surveys(PHONES_MAX)) {
    if (handsets === 0) continue;
    const scaled = (found: number): number => Math.round((found * handsets) / Math.max(1, survey.count));
    record({
      atMs: kernel.now,
      wallMs,
      name,
      handsets,
      waiting: scaled(survey.waiting),
      offline: scaled(survey.offline),
      down: scaled(survey.down),
      charging: scaled(survey.charging),
      batteryMean: survey.batteryMean,
      batteryMin: survey.batteryMin,
    });
  }
}
