import type { FieldDifference, SeenAnswer } from "./seen-answer.js";

/** One difference between two answers to one event. */
export interface AnswerDifference extends FieldDifference {
  /** Id of the event, as `handset events` prints it: `3/17`. */
  readonly event: string;
  /** Number of the attempt, from 1. */
  readonly try: number;
  /** Virtual time of the event. */
  readonly atMs: number;
}

/** An event whose answers differ, with both answers. */
export interface Divergence {
  readonly event: string;
  readonly try: number;
  readonly atMs: number;
  readonly type: string;
  /** As it was recorded. */
  readonly body: string;
  readonly recorded: SeenAnswer;
  readonly now: SeenAnswer;
}

/** How the answers of two receivers, or of one receiver at two times, compare. */
export interface AnswersResult {
  /** Events whose answers were compared. */
  readonly compared: number;
  readonly differing: number;
  /** Events without a recorded answer. */
  readonly unrecorded: number;
  /** Answers whose recorded text is not known, as in most access logs: only status and time were compared. */
  readonly textless: number;
  /** Events that had an answer, and got none before the end. */
  readonly unanswered: number;
  /** Slow answers that were not judged, as other programs kept this machine busy. */
  readonly busy: number;
  /** The earliest divergence; absent: none. */
  readonly first?: Divergence;
}
