import type { SimTime } from "../sim/index.js";
import type { Recording, RecordingReader } from "../store/index.js";

/**
 * Where the kernel of a run stopped, and why. It is recorded before the run waits for its last answers: a run that is
 * resumed from there waits for them too, and plays no retry that the first one would not have played.
 */
export interface WorldEnd {
  /** Kernel steps and external effects up to the end. */
  readonly turn: number;
  readonly atMs: SimTime;
  readonly isStopped: boolean;
  readonly hasGivenUp: boolean;
  /** The expectation that ended it; null: none. */
  readonly stoppedBy: string | null;
}

const KEY = "worldEnd";

export function recordWorldEnd(recording: Recording, end: WorldEnd): void {
  recording.keep(KEY, JSON.stringify(end));
}

/** @returns undefined where the run was cut off before its world ended */
export function readWorldEnd(past: RecordingReader | undefined): WorldEnd | undefined {
  const json = past?.kept(KEY);
  return json === undefined ? undefined : (JSON.parse(json) as WorldEnd);
}
