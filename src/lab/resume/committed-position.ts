import type { SimTime } from "../../sim/index.js";
import type { Recording } from "../../store/index.js";

/** How far a served lab had come when its recording was last committed. Playing it again leads there. */
export interface CommittedPosition {
  /** See `RunPosition`. */
  readonly turn: number;
  /** Virtual time up to which everything had happened. */
  readonly atMs: SimTime;
  /** It was closed there, with the rows of its channels up to date. */
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

/** @returns undefined: it was not recorded */
export function readCommittedPosition(recording: Pick<Recording, "kept">): CommittedPosition | undefined {
  const json = recording.kept(KEY);
  return json === undefined ? undefined : (JSON.parse(json) as CommittedPosition);
}
