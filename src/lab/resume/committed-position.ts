import type { SimTime } from "../../sim/index.js";
import type { Recording } from "../../store/index.js";

/** The last recorded position of a served lab. Re-executing its recording leads there. */
export interface CommittedPosition {
  /** See `RunPosition`. */
  readonly turn: number;
  /** Virtual time up to which everything had happened: a restart continues there. */
  readonly atMs: SimTime;
  /** True when the lab was closed at this position, so the recorded rows of its channels are current. */
  readonly isClosed?: boolean;
}

const KEY = "position";

/** Records the position with each commit. */
export function recordPositionWithCommits(recording: Recording, read: () => CommittedPosition): void {
  recording.keepWithCommits(KEY, () => JSON.stringify(read()));
}

/** Records the position now. */
export function recordPosition(recording: Recording, position: CommittedPosition): void {
  recording.keep(KEY, JSON.stringify(position));
}

/** @returns undefined when it was not recorded */
export function readCommittedPosition(recording: Pick<Recording, "kept">): CommittedPosition | undefined {
  const json = recording.kept(KEY);
  return json === undefined ? undefined : (JSON.parse(json) as CommittedPosition);
}
