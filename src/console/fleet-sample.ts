import { fleetColumns, type FleetColumns, type FleetRow } from "./protocol/index.js";
import type { FleetArrays } from "./live-source.js";

/** The last two readings of a fleet. Reading and comparing allocate only the rows that changed. */
export class FleetSample {
  readonly count: number;
  #shown: FleetArrays;
  #next: FleetArrays;

  constructor(count: number) {
    this.count = count;
    this.#shown = newArrays(count);
    this.#next = newArrays(count);
  }

  /** Reads the fleet. @returns the rows that differ from the previous reading */
  read(readInto: (arrays: FleetArrays) => void): FleetRow[] {
    const [before, now] = [this.#shown, this.#next];
    readInto(now);
    this.#shown = now;
    this.#next = before;
    const pairs = fleetColumns.map((column) => [before[column], now[column]] as const);
    const rows: FleetRow[] = [];
    for (let index = 0; index < this.count; index++) {
      if (pairs.some(([old, current]) => old[index] !== current[index])) {
        rows.push([index + 1, ...pairs.map(([, current]) => current[index] ?? 0)]);
      }
    }
    return rows;
  }

  /** The newest reading. Its arrays are reused by the reading after the next one. */
  get arrays(): FleetArrays {
    return this.#shown;
  }

  /** The last reading. */
  columns(): FleetColumns {
    const shown = this.#shown;
    return Object.fromEntries(fleetColumns.map((column) => [column, [...shown[column]]])) as Record<
      keyof FleetColumns,
      number[]
    >;
  }

  /** Messages and reports that wait on phones, in the last reading. */
  get waiting(): number {
    const { pending, retry, unsynced } = this.#shown;
    let sum = 0;
    for (let index = 0; index < this.count; index++) {
      sum += (pending[index] ?? 0) + (retry[index] ?? 0) + (unsynced[index] ?? 0);
    }
    return sum;
  }
}

function newArrays(count: number): FleetArrays {
  return Object.fromEntries(fleetColumns.map((column) => [column, new Int32Array(count)])) as unknown as FleetArrays;
}
