import { closeSync, openSync, readSync } from "node:fs";
import { availableParallelism } from "node:os";

/** CPU time of all cores since the machine started, in milliseconds. */
export interface CpuTimes {
  /** Programs, the kernel and interrupts. */
  readonly busyMs: number;
  /** A virtual machine's core was ready, and the hypervisor ran another one. */
  readonly stolenMs: number;
}

/** `/proc` counts CPU time in hundredths of a second on every architecture (USER_HZ). */
export const TICK_MS = 10;

/** Upper bound of the length of `/proc/stat`'s first line and of `/proc/loadavg`. */
const LINE_BYTES = 512;

/**
 * Reads how many tasks want a core, and how busy the cores are, from `/proc`. A reading takes 5 to 30 microseconds.
 * Systems without `/proc`, such as macOS, give undefined.
 */
export class Machine {
  readonly cores: number = availableParallelism();
  readonly #line = Buffer.alloc(LINE_BYTES);
  readonly #load = openOrUndefined("/proc/loadavg");
  readonly #stat = openOrUndefined("/proc/stat");

  /** Tasks of all programs that run or wait for a core now; undefined: not counted. */
  runnable(): number | undefined {
    // "0.08 0.03 0.01 3/412 71623": the fourth word begins with the runnable tasks. The reader itself is one of them.
    const count = Number(this.#read(this.#load).split(" ")[3]?.split("/")[0]);
    return count > 0 ? count : undefined;
  }

  cpuTimes(): CpuTimes | undefined {
    // "cpu  user nice system idle iowait irq softirq steal guest guest_nice"
    const [user, nice, system, , , irq, softirq, steal] = this.#read(this.#stat)
      .split("\n", 1)
      .flatMap((line) => line.split(/ +/).slice(1).map(Number));
    if (user === undefined || nice === undefined || system === undefined || steal === undefined) return undefined;
    return { busyMs: (user + nice + system + (irq ?? 0) + (softirq ?? 0)) * TICK_MS, stolenMs: steal * TICK_MS };
  }

  close(): void {
    for (const file of [this.#load, this.#stat]) if (file !== undefined) closeSync(file);
  }

  #read(file: number | undefined): string {
    if (file === undefined) return "";
    try {
      return this.#line.toString("latin1", 0, readSync(file, this.#line, 0, LINE_BYTES, 0));
    } catch {
      return "";
    }
  }
}

function openOrUndefined(path: string): number | undefined {
  try {
    return openSync(path, "r");
  } catch {
    return undefined;
  }
}
