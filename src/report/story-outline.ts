import { type RecordingReader, type StoryWait, storyWaitsOf } from "../store/index.js";
import { readableDuration } from "./number-format.js";

/** The recording's key for the `StoryOutline`, as JSON. */
export const STORY_KEY = "story";

/** A step of a story as a sentence. */
export type StoryStep = readonly [atMs: number, text: string, kind: "cause" | "text"];

/** The steps of a story for display, in order of time. */
export interface StoryOutline {
  readonly steps: readonly StoryStep[];
  /** Texts, calls and messages of the story beyond those in `steps`. */
  readonly leftOut: number;
  /** The steps that wait for a condition, or count from one that does; absent: none. */
  readonly conditional?: readonly ConditionalStep[];
}

/** A step whose moment depends on a condition. */
export interface ConditionalStep {
  readonly text: string;
  readonly kind: "cause" | "text";
  /** `place` of the step that waits: this one, or the one that it counts from. */
  readonly place: number;
  /** Milliseconds from the moment of the condition to the step. */
  readonly afterMs: number;
  /** The earliest instant at which the watch of its own condition can begin. */
  readonly fromMs: number;
  /** The spelling of its own condition; absent: it has none. */
  readonly condition?: string;
}

/** The outline that a recording stores; without steps for a replay. */
export function storyOutlineOf(recording: RecordingReader): StoryOutline {
  const kept = recording.kept(STORY_KEY);
  if (kept === undefined) return { steps: [], leftOut: 0 };
  const outline = JSON.parse(kept) as StoryOutline;
  if (outline.conditional === undefined) return outline;
  const waits = new Map(storyWaitsOf(recording).map((wait) => [wait.place, wait]));
  const told = outline.conditional.flatMap((step) => conditionalStep(step, waits.get(step.place)));
  return { ...outline, steps: [...outline.steps, ...told].toSorted(([a], [b]) => a - b) };
}

/** A conditional step for display: when it happened, or why it did not. Empty: it counts from an unmet condition. */
function conditionalStep(
  { text, kind, afterMs, fromMs, condition }: ConditionalStep,
  wait: StoryWait | undefined,
): StoryStep[] {
  if (condition === undefined) return wait?.metMs === undefined ? [] : [[wait.metMs + afterMs, text, kind]];
  if (wait?.metMs !== undefined) {
    const waited = readableDuration(wait.metMs - wait.fromMs);
    return [[wait.metMs, `${text} (after waiting ${waited} for ${condition})`, kind]];
  }
  if (wait?.missedMs !== undefined) {
    const waited = readableDuration(wait.missedMs - wait.fromMs);
    return [[wait.missedMs, `did not happen: ${text} (${condition} did not come within ${waited})`, "cause"]];
  }
  const why = wait === undefined ? "was never watched: the step before it did not happen" : "did not come";
  return [[wait?.fromMs ?? fromMs, `did not happen: ${text} (${condition} ${why})`, "cause"]];
}

/** The recording's key for the number of story steps that change the receiver's answers. */
export const RECEIVER_STEPS_KEY = "receiverSteps";

/** Number of story steps that change the receiver's answers; 0 for a replay. */
export function receiverStepCount(recording: RecordingReader): number {
  return Number(recording.kept(RECEIVER_STEPS_KEY) ?? 0);
}
