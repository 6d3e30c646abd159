import type { SeenFailure } from "../scenario/index.js";
import type { PlayedAnswer } from "./play-requests.js";

/** Characters of an answer that a bug file keeps, and that its story shows. */
const KEPT_MAX = 500;
const SHOWN_MAX = 160;

/** What was seen, as a bug file keeps it. */
export function seenFailure({
  condition,
  request,
  answer,
  text = answer?.body ?? "",
  at,
  runs,
}: {
  readonly condition: string;
  /** From 1; undefined: it was seen at none by itself. */
  readonly request: number | undefined;
  readonly answer: Pick<PlayedAnswer, "status" | "error" | "body"> | undefined;
  /** What is kept under `answer`; default: the body. */
  readonly text?: string | undefined;
  /** A timestamp. */
  readonly at: string;
  readonly runs: string | undefined;
}): SeenFailure {
  const { status = null, error = null } = answer ?? {};
  return {
    condition,
    ...(request !== undefined && { request }),
    ...(status !== null && { status: String(status) }),
    ...(error !== null && { error }),
    ...(text !== "" && { answer: Array.from(text.toWellFormed()).slice(0, KEPT_MAX).join("") }),
    at,
    ...(runs !== undefined && { runs }),
  };
}

/** An answer for a story: `500: TypeError …`, `500 without a body`. */
export function shownAnswer(status: number, body: string): string {
  const line = body.replaceAll(/\s+/g, " ").trim();
  return line === "" ? `${status} without a body` : `${status}: ${Array.from(line).slice(0, SHOWN_MAX).join("")}`;
}
