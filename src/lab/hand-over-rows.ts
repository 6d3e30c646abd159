import { availableParallelism } from "node:os";
import type { Recording } from "../store/index.js";
import type { Pace } from "./pace.js";

/** Threads of such a run that always have something to do: its world, its sender, its writer, and the receiver beside it. */
const BUSY_THREADS = 4;

/**
 * Sees to it that a run's rows are written without its phones having to wait for their tables. Mostly a thread of its own fills those.
 * Where the run goes as fast as it can, and there are fewer cores than threads that want them, they are filled when it is
 * over: all in all it takes longer then.
 *
 * @param failed - told when rows could not be written that nobody waits for
 */
export async function handOverRows(
  recording: Recording,
  pace: Pace["kind"],
  failed: (error: Error) => void,
): Promise<void> {
  if (pace === "max" && availableParallelism() < BUSY_THREADS) recording.pack();
  else await recording.handOver(failed);
}
