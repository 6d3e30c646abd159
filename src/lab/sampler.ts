import type { Kernel, SimTime } from "../sim/index.js";
import type { SampleRow } from "../store/index.js";
import type { HandsetGroup, World } from "../world/index.js";

/** Instants of a run at which its fleet is looked at: as many as a chart can show. */
const SAMPLES = 300;

/** No two samples are closer than this, virtual milliseconds. */
const SAMPLE_MS_MIN = 1000;

/** Phones of a group that one sample looks at: so it costs some tenths of a millisecond, however large the fleet. */
const PHONES_MAX = 2000;

/** The last thing that happens at its instant. */
const LAST = Number.MAX_SAFE_INTEGER;

export interface SamplerOptions {
  readonly kernel: Kernel;
  readonly world: World;
  readonly groups: readonly HandsetGroup[];
  /** Infinity: nothing is sampled, as nothing would bound the recording. */
  readonly lastsMs: SimTime;
  /** Wall milliseconds since the run's sender was made. */
  readonly wall: () => number;
  readonly record: (row: SampleRow) => void;
}

/**
 * Looks at the fleet from time to time while the kernel runs. Only looks: nothing that happens in the world depends on
 * it, and it draws from no stream.
 *
 * Of a group with more than 2,000 phones it looks at 2,000, spread evenly, and scales counts up to the group; the mean
 * and the least battery are those of the phones looked at.
 */
export function sampleFleet(options: SamplerOptions): void {
  const { kernel, lastsMs } = options;
  if (lastsMs === Infinity) return;
  const everyMs = Math.max(SAMPLE_MS_MIN, Math.ceil(lastsMs / SAMPLES));
  const look = (): void => {
    sampleNow(options);
    const nextAtMs = Math.min(kernel.now + everyMs, lastsMs);
    if (nextAtMs > kernel.now) kernel.at(nextAtMs, look, undefined, LAST);
  };
  kernel.at(kernel.now, look, undefined, LAST);
}

function sampleNow({ kernel, world, groups, wall, record }: SamplerOptions): void {
  const wallMs = wall();
  let first = 0;
  for (const { name, count } of groups) {
    const seen = world.survey({ first, count, most: PHONES_MAX });
    const scaled = (found: number): number => Math.round((found * count) / Math.max(1, seen.count));
    record({
      atMs: kernel.now,
      wallMs,
      name,
      handsets: count,
      waiting: scaled(seen.waiting),
      offline: scaled(seen.offline),
      down: scaled(seen.down),
      charging: scaled(seen.charging),
      batteryMean: seen.batteryMean,
      batteryMin: seen.batteryMin,
    });
    first += count;
  }
}
