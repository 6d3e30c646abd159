import type { Kernel, SimTime } from "../sim/index.js";
import type { SampleRow } from "../store/index.js";
import type { World } from "../world/index.js";

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
  /** Infinity: nothing is sampled, as nothing would bound the recording. */
  readonly lastsMs: SimTime;
  /** The end of the drain; default `lastsMs`. */
  readonly untilMs?: SimTime;
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
  const { kernel, lastsMs, untilMs = lastsMs } = options;
  if (lastsMs === Infinity) return;
  const everyMs = Math.max(SAMPLE_MS_MIN, Math.ceil(lastsMs / SAMPLES));
  const look = (): void => {
    sampleNow(options);
    const nextAtMs = Math.min(kernel.now + everyMs, untilMs);
    if (nextAtMs > kernel.now) kernel.at(nextAtMs, look, undefined, LAST);
  };
  kernel.at(kernel.now, look, undefined, LAST);
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
