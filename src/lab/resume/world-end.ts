import type { SimTime } from "../../sim/index.js";
import type { Recording, RecordingReader } from "../../store/index.js";

/**
 * Where the kernel of a run stopped, and why. Recorded before the run waits for its last answers, so that a resumed
 * run also waits for them, and makes no retry that the killed run would not have made.
 */
export interface WorldEnd {
  /** See `RunPosition`. */
  readonly turn: number;
  readonly atMs: SimTime;
  readonly isStopped: boolean;
  readonly hasGivenUp: boolean;
  /** Text of the expectation that stopped it; null when none did. */
  readonly stoppedBy: string | null;
}

const KEY = "worldEnd";

/** Records the world's end for a resume. */
export function recordWorldEnd(recording: Recording, end: WorldEnd): void {
  recording.keep(KEY, JSON.stringify(end));
}

/** @returns undefined if no run is resumed, or the run was killed before its world ended */
export function readWorldEnd(recordedRun: Pick<RecordingReader, "kept"> | undefined): WorldEnd | undefined {
  const json = recordedRun?.kept(KEY);
  return json === undefined ? undefined : (JSON.parse(json) as WorldEnd);
}
