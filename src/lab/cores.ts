import { availableParallelism } from "node:os";

/** Threads of a run at `max` that always have something to do: its world, its sender, its writer, and the receiver beside it. */
const BUSY_THREADS = 4;

/** Whether they would have to share cores. It takes longer then to hand work from one to the other than to do it. */
export function coresAreShort(): boolean {
  return availableParallelism() < BUSY_THREADS;
}
