import type { RecordingReader } from "../../store/index.js";
import type { Mark } from "./figures.js";

/** More marks than this hide what they explain. */
const MARKS_MAX = 100;

/** The key under which a run keeps what its story does: a JSON list of `[atMs, text]`, in the order of time. */
export const STORY_KEY = "story";

/**
 * What the story did and what was done by hand.
 *
 * @param place - from virtual time to the axis' clock
 */
export function marksOf(recording: RecordingReader, place: (atMs: number) => number): Mark[] {
  const story = JSON.parse(recording.kept(STORY_KEY) ?? "[]") as [atMs: number, text: string][];
  const marks = story.map(([atMs, text]) => ({ atMs, text }));
  for (const { atMs, kind, json } of recording.inputs()) {
    if (marks.length >= 2 * MARKS_MAX) break;
    marks.push({ atMs, text: `by hand: ${kind} ${json.slice(0, 80)}` });
  }
  return marks
    .toSorted((a, b) => a.atMs - b.atMs)
    .slice(0, MARKS_MAX)
    .map(({ atMs, text }) => ({ atMs: place(atMs), text }));
}
