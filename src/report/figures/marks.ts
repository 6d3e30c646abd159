import type { RecordingReader } from "../../store/index.js";
import { storyOutlineOf } from "../story-outline.js";
import type { Mark, MarkKind } from "./figures.js";

/** More marks than this hide what they explain. */
const MARKS_MAX = 100;

/** Characters of an input that are shown. */
const INPUT_MAX = 80;

/** What happened during a run from outside the world's own course. */
export interface Marks {
  /** In the order of time; causes first where there are too many. */
  readonly marks: readonly Mark[];
  /** What is not among them. */
  readonly leftOut: Readonly<Record<MarkKind, number>>;
}

/** Which marks are kept where there are too many: what explains most. */
const kindsByPriority: readonly MarkKind[] = ["cause", "hand", "api", "text"];

/**
 * What the story did, what was done by hand, and which requests the REST API got.
 *
 * @param place - from virtual time to the axis' clock
 */
export function marksOf(recording: RecordingReader, place: (atMs: number) => number): Marks {
  const leftOut = { cause: 0, hand: 0, api: 0, text: 0 };
  const found: Record<MarkKind, Mark[]> = { cause: [], hand: [], api: [], text: [] };
  const add = (mark: Mark): void => {
    if (found[mark.kind].length < MARKS_MAX) found[mark.kind].push(mark);
    else leftOut[mark.kind]++;
  };
  const story = storyOutlineOf(recording);
  leftOut.text += story.leftOut;
  for (const [atMs, text, kind] of story.steps) add({ atMs, text, kind });
  for (const { atMs, kind, json } of recording.inputs()) {
    const isRequest = kind === "api";
    if (found[isRequest ? "api" : "hand"].length >= MARKS_MAX) leftOut[isRequest ? "api" : "hand"]++;
    else add({ atMs, ...inputMark(kind, json) });
  }
  const kept = kindsByPriority.flatMap((kind) => found[kind]);
  for (const { kind } of kept.slice(MARKS_MAX)) leftOut[kind]++;
  const marks = kept
    .slice(0, MARKS_MAX)
    .toSorted((a, b) => a.atMs - b.atMs)
    .map((mark) => ({ ...mark, atMs: place(mark.atMs) }));
  return { marks, leftOut };
}

function inputMark(kind: string, json: string): Omit<Mark, "atMs"> {
  if (kind !== "api") return { kind: "hand", text: `by hand: ${kind} ${json.slice(0, INPUT_MAX)}` };
  const { method, path } = JSON.parse(json) as { method?: string; path?: string };
  return { kind: "api", text: `API request: ${method ?? ""} ${(path ?? "").slice(0, INPUT_MAX)}` };
}
