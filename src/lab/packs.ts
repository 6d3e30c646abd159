import { availableParallelism } from "node:os";
import type { Pace } from "./pace.js";

/** Threads of such a run that always have something to do: its world, its sender, its writer, and the receiver beside it. */
const BUSY_THREADS = 4;

/**
 * Whether the rows of a run are brought to their tables when it is over, and not beside it: where it goes as fast as it can,
 * and there are fewer cores than threads that want them. All in all it takes longer then.
 */
export function packsRows(pace: Pace["kind"]): boolean {
  return pace === "max" && availableParallelism() < BUSY_THREADS;
}
