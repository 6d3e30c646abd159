import type { RecordingReader } from "../../store/index.js";
import { storyOutlineOf } from "../story-outline.js";
import type { Mark, MarkKind } from "./figures.js";

/** Limit of the list: more dotted lines hide the charts. */
const MARKS_MAX = 100;

/** Characters shown of an input. */
const INPUT_MAX = 80;

/** The inputs of a run from outside: story steps, hands and API requests. */
export interface Marks {
  /** In order of time; beyond the limit by the priority of their kind. */
  readonly marks: readonly Mark[];
  /** Number of marks beyond the limit. */
  readonly leftOut: Readonly<Record<MarkKind, number>>;
}

/** Kinds by priority: beyond the limit the last ones are dropped. */
const kindsByPriority: readonly MarkKind[] = ["cause", "hand", "api", "text"];

/**
 * Collects story steps, inputs by hand and requests to the REST API.
 *
 * @param place - converts virtual time to the axis' clock
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
