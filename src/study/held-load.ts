import type { Trial } from "./trial.js";

/** A receiver that handles less than this share of a load that it has held has collapsed. */
const COLLAPSED = 0.9;

/** Probability that stalls of this machine overload the receiver in a trial of a load that it can take. */
export const COLLAPSE_DOUBT = 0.15;

/** The part of a trial that shows a collapse. */
export type TrialLoad = Pick<Trial, "verdict" | "phase" | "attemptsPerSecond" | "handledPerSecond" | "latenessP99Ms">;

/**
 * Remembers the highest load that the receiver held. A receiver that handles clearly less has collapsed. A stall of
 * this machine can cause that, so a failed trial is weak evidence then.
 */
export class HeldLoad {
  readonly #lateMs: number;
  #heldPerSecond = 0;

  /** @param lateMs - with a p99 lateness up to this, the generator cannot be the cause of a failure */
  constructor({ lateMs }: { readonly lateMs: number }) {
    this.#lateMs = lateMs;
  }

  /** Takes a trial into account. @returns why it is in doubt; undefined: it is not */
  assess({ verdict, phase, attemptsPerSecond, handledPerSecond, latenessP99Ms }: TrialLoad): string | undefined {
    if (verdict === "passed") this.#heldPerSecond = Math.max(this.#heldPerSecond, attemptsPerSecond);
    if (verdict !== "failed" || phase !== "trial" || handledPerSecond === null) return undefined;
    const isCollapsed = handledPerSecond < COLLAPSED * this.#heldPerSecond;
    if (!isCollapsed || (latenessP99Ms ?? 0) <= this.#lateMs) return undefined;
    return "the receiver collapsed, and stalls of this machine can be what overloaded it";
  }
}
