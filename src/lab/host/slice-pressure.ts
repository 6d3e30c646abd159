/** Measurements of this machine over a short time, a fraction of a second. Times are milliseconds. */
export interface MachineSlice {
  readonly elapsedMs: number;
  readonly cores: number;
  /** Tasks of all programs that ran or waited for a core, on average; undefined: not counted on this system. */
  readonly runnable: number | undefined;
  /** CPU time of all programs; undefined: not counted. */
  readonly busyMs: number | undefined;
  /** CPU time that the hypervisor gave to other machines, of all cores. */
  readonly stolenMs: number;
  /** CPU time of the lab, of the other parts of its fleet, and of the receiver's processes. */
  readonly ownMs: number;
  /** Time in which this process was ready to run and used no CPU time: it waited for a core, or was stopped. */
  readonly stalledMs: number;
}

/** How busy other programs kept the machine. */
export interface SlicePressure {
  readonly isBusy: boolean;
  /** Tasks of other programs that wanted each core, on average; null: not counted. */
  readonly othersPerCore: number | null;
}

/**
 * The machine is busy if this many tasks of other programs want each core: work then takes about five times as long.
 * Measured on two cores: 0 with the lab at `--pace max` and its receiver, up to 3 with three concurrent test runners,
 * 5 to 15 with a burst of thirty processes.
 */
const BUSY_OTHERS = 4;

/** The machine is busy if the hypervisor takes this share of its cores away. */
const STOLEN_SHARE = 0.5;

/** The machine is busy if this process cannot run for this share of the time… */
const STALLED_SHARE = 0.5;
/** …or for this share where tasks are not counted: there, waiting for a core is the only sign. */
const STALLED_SHARE_UNCOUNTED = 0.2;

/**
 * Whether other programs kept the machine busy. The work of the lab and of its receiver does not count, even if they
 * use all cores.
 *
 * Tasks that compete for cores get equal shares of CPU time. So the others' share of the used CPU time is also their share
 * of the runnable tasks.
 */
export function slicePressure(slice: MachineSlice): SlicePressure {
  const { elapsedMs, cores, runnable, busyMs, ownMs, stolenMs, stalledMs } = slice;
  const isCounted = runnable !== undefined && busyMs !== undefined;
  const othersShare = isCounted && busyMs > 0 ? Math.max(0, 1 - ownMs / busyMs) : 0;
  const othersPerCore = isCounted ? (runnable * othersShare) / cores : null;
  const isBusy =
    (othersPerCore ?? 0) >= BUSY_OTHERS ||
    stolenMs >= STOLEN_SHARE * cores * elapsedMs ||
    stalledMs >= (isCounted ? STALLED_SHARE : STALLED_SHARE_UNCOUNTED) * elapsedMs;
  return { isBusy, othersPerCore };
}
