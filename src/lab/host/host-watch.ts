/*
 * Watches how busy other programs keep this machine while a run plays: 20 readings of the runnable tasks and 5 of the
 * CPU times in each second, half a millisecond in all. Each fifth of a second is judged (`slice-pressure.ts`), and the
 * judgements are summed for each second (`pressure-seconds.ts`).
 */
import { performance } from "node:perf_hooks";
import { addressOf, isLoopback } from "../../http/index.js";
import type { HostSecond } from "../../measure/index.js";
import { type CpuTimes, Machine } from "./machine.js";
import { PressureSeconds } from "./pressure-seconds.js";
import { cpuMsOf, processesServing } from "./process-cpu.js";
import { slicePressure } from "./slice-pressure.js";

/** Interval of readings, and the least time that is judged. Wall milliseconds. */
const READ_MS = 50;
const SLICE_MS = 200;

/**
 * When to search for the receiver's processes: this long after the start, when they have connections. Later a busy
 * slice searches again if the last search is old enough, because a receiver may have started workers. Wall
 * milliseconds.
 */
const FIRST_SEARCH_MS = 300;
const SEARCH_AGAIN_MS = 10_000;

/** What a `HostWatch` measures, and where it records each second. */
export interface HostWatchOptions {
  /** Wall milliseconds since the run's sender was made. */
  readonly wall: () => number;
  /** Delivery URLs: the work of receivers on this machine does not count as the work of other programs. */
  readonly receivers: readonly string[];
  /** Process ids of the fleet's other parts, whose work does not count either. */
  readonly fleet?: readonly number[] | undefined;
  /** Receives each second, in order, after it has passed. */
  readonly record: (second: HostSecond) => void;
}

/** Watches the machine from its construction to `stop`. */
export class HostWatch {
  readonly #options: HostWatchOptions;
  readonly #machine = new Machine();
  readonly #seconds: PressureSeconds;
  readonly #ports: ReadonlySet<number>;
  /** CPU time at the last slice, by process id, of the processes that belong to the run. */
  readonly #own = new Map<number, number>();
  readonly #timer: NodeJS.Timeout;
  /** When to search for the receiver's processes; Infinity until the next busy slice sets it. */
  #searchAt: number;
  #searchedAt = -Infinity;
  #readAt: number;
  #sliceAt: number;
  #sliceWallMs: number;
  #cpu: CpuTimes | undefined;
  #used: number;
  #usedAtRead: number;
  #stalledMs = 0;
  #runnableMs = 0;
  #countedMs = 0;

  constructor(options: HostWatchOptions) {
    this.#options = options;
    this.#ports = new Set(options.receivers.filter(isLoopback).map((url) => addressOf(new URL(url)).port));
    for (const pid of options.fleet ?? []) if (pid !== process.pid) this.#addOwn(pid);
    this.#readAt = this.#sliceAt = performance.now();
    this.#searchAt = this.#readAt + FIRST_SEARCH_MS;
    this.#sliceWallMs = options.wall();
    this.#seconds = new PressureSeconds(this.#sliceWallMs, options.record);
    this.#cpu = this.#machine.cpuTimes();
    this.#used = this.#usedAtRead = usedMs();
    this.#timer = setInterval(() => this.#read(), READ_MS);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#judgeSlice();
    this.#seconds.end();
    this.#machine.close();
  }

  #read(): void {
    const now = performance.now();
    const used = usedMs();
    const elapsedMs = now - this.#readAt;
    const runnable = this.#machine.runnable();
    if (runnable !== undefined) {
      this.#runnableMs += runnable * elapsedMs;
      this.#countedMs += elapsedMs;
    }
    this.#stalledMs += Math.max(0, elapsedMs - READ_MS - (used - this.#usedAtRead));
    this.#readAt = now;
    this.#usedAtRead = used;
    if (now - this.#sliceAt >= SLICE_MS) this.#judgeSlice();
    if (now >= this.#searchAt) this.#search(now);
  }

  #judgeSlice(): void {
    const now = performance.now();
    const [cpu, used, before] = [this.#machine.cpuTimes(), usedMs(), this.#cpu];
    const elapsedMs = now - this.#sliceAt;
    const isCounted = cpu !== undefined && before !== undefined;
    const pressure = slicePressure({
      elapsedMs,
      cores: this.#machine.cores,
      runnable: this.#countedMs === 0 ? undefined : this.#runnableMs / this.#countedMs,
      busyMs: isCounted ? cpu.busyMs - before.busyMs : undefined,
      stolenMs: isCounted ? cpu.stolenMs - before.stolenMs : 0,
      ownMs: used - this.#used + this.#readOwn(),
      stalledMs: this.#stalledMs,
    });
    const wallMs = this.#options.wall();
    this.#seconds.add(this.#sliceWallMs, wallMs, pressure);
    if (pressure.isBusy) this.#searchAt = Math.min(this.#searchAt, this.#searchedAt + SEARCH_AGAIN_MS);
    this.#sliceAt = now;
    this.#sliceWallMs = wallMs;
    this.#cpu = cpu;
    this.#used = used;
    [this.#stalledMs, this.#runnableMs, this.#countedMs] = [0, 0, 0];
  }

  /** CPU time that the other processes of the run have used since the last slice. */
  #readOwn(): number {
    let sumMs = 0;
    for (const [pid, beforeMs] of this.#own) {
      const cpuMs = cpuMsOf(pid);
      if (cpuMs === undefined) this.#own.delete(pid);
      else {
        sumMs += cpuMs - beforeMs;
        this.#own.set(pid, cpuMs);
      }
    }
    return sumMs;
  }

  #search(now: number): void {
    this.#searchAt = Infinity;
    this.#searchedAt = now;
    if (this.#ports.size === 0) return;
    void processesServing(this.#ports).then((pids) => {
      for (const pid of pids) if (pid !== process.pid && !this.#own.has(pid)) this.#addOwn(pid);
    });
  }

  #addOwn(pid: number): void {
    const cpuMs = cpuMsOf(pid);
    if (cpuMs !== undefined) this.#own.set(pid, cpuMs);
  }
}

/** CPU time of this process, all its threads, milliseconds. */
function usedMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
