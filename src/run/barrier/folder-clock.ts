/** How far another clock is ahead of this machine's. */
export interface ClockOffset {
  /** Milliseconds to add to this machine's clock. */
  readonly offsetMs: number;
  /** Largest distance of the true offset from `offsetMs`. */
  readonly uncertaintyMs: number;
}

/** Number of latest probes that are kept: older ones are wrong, because clocks drift apart by some 50 ms in 1000 s. */
const PROBES = 30;

/** Kernels stamp files by the latest tick, 4 to 10 ms apart. */
const TICK_MS = 10;

interface Bounds {
  readonly lowMs: number;
  readonly highMs: number;
}

/**
 * The clock of a shared folder's file server, measured by files that this machine writes: the server stamps a file
 * between the start and the end of the write. The intersection of several probes narrows the offset (Marzullo).
 */
export class FolderClock {
  readonly #stamps: number[] = [];
  readonly #probes: { readonly fromMs: number; readonly untilMs: number; readonly stampMs: number }[] = [];

  /** @param stampMs - the file's mtime; `fromMs`, `untilMs`: this machine's clock before and after the write */
  note(stampMs: number, { fromMs, untilMs }: { readonly fromMs: number; readonly untilMs: number }): void {
    this.#stamps.push(stampMs);
    this.#probes.push({ fromMs, untilMs: untilMs + 1, stampMs });
    if (this.#probes.length > PROBES) this.#probes.shift();
  }

  /** Undefined: nothing was measured. */
  offset(): ClockOffset | undefined {
    const grainMs = grainOf(this.#stamps);
    let common: Bounds | undefined;
    for (const { fromMs, untilMs, stampMs } of this.#probes) {
      const one = { lowMs: stampMs - untilMs, highMs: stampMs + grainMs - fromMs };
      const both: Bounds = {
        lowMs: Math.max(one.lowMs, common?.lowMs ?? -Infinity),
        highMs: Math.min(one.highMs, common?.highMs ?? Infinity),
      };
      // Without a common range one clock was set meanwhile: only the later probes count.
      common = both.lowMs <= both.highMs ? both : one;
    }
    if (common === undefined) return undefined;
    const { lowMs, highMs } = common;
    return { offsetMs: round((lowMs + highMs) / 2), uncertaintyMs: round((highMs - lowMs) / 2) };
  }

  /**
   * Milliseconds by which a wait until an instant of the folder's clock corrects this machine's clock: the offset, or 0
   * if the clocks agree within its uncertainty.
   */
  correctionMs(): number {
    const { offsetMs, uncertaintyMs } = this.offset() ?? { offsetMs: 0, uncertaintyMs: 0 };
    return Math.abs(offsetMs) > uncertaintyMs ? offsetMs : 0;
  }

  /** The folder's clock now. */
  nowMs(): number {
    return Date.now() + this.correctionMs();
  }
}

/** The resolution of the stamps: some file systems keep whole seconds, or every second one. */
function grainOf(stamps: readonly number[]): number {
  for (const grain of [2000, 1000]) if (stamps.length > 2 && stamps.every((ms) => ms % grain === 0)) return grain;
  return stamps.length <= 2 && stamps.every((ms) => ms % 1000 === 0) ? 2000 : TICK_MS;
}

function round(ms: number): number {
  return Math.round(ms * 10) / 10;
}
