import type { Recording } from "../store/index.js";
import { coresAreShort } from "./cores.js";
import type { Pace } from "./pace.js";

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
  if (pace === "max" && coresAreShort()) recording.pack();
  else await recording.handOver(failed);
}
