import type { ExactRequest } from "../../scenario/index.js";
import type { PlayedAnswer } from "../../exact/index.js";

/** Holds what was played against the receiver's own log; undefined: they agree. */
export type ReconcileTrial = (
  played: readonly ExactRequest[],
  answers: readonly PlayedAnswer[],
) => Promise<{ readonly effect: string; readonly seen: string } | undefined>;
