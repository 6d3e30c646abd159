import { schema, type ValueOf } from "../../../schema/index.js";
import { nullableText, nullableTime } from "./shared.js";

const { arrayOf, boolean, described, integer, nullable, number, objectOf, oneOf, text, timestamp } = schema;

const storyState = oneOf(["playing", "over", "stopped"]);
const expectationState = oneOf(["waiting", "held", "failed"]);

/** The scenario that plays, as the control API tells it. */
export const story = objectOf({
  name: text,
  file: nullableText,
  about: nullableText,
  state: storyState,
  ends: nullableTime,
  repeats: boolean,
  refusal: described("Why no scenario can be started or begun again here", nullableText),
  jump: nullable(objectOf({ beat: nullableText, from: timestamp, to: timestamp })),
  beats: arrayOf(objectOf({ name: text, about: nullableText, at: timestamp })),
  expectations: arrayOf(
    objectOf({
      text,
      state: expectationState,
      seen: nullableText,
      until: described("When it is decided at the latest; null: at the end of the run", nullableTime),
    }),
  ),
  notes: arrayOf(objectOf({ at: timestamp, text })),
});
export type Story = ValueOf<typeof story>;

/** A scenario that can be started. */
export const scenarioNote = objectOf({
  // Its path from the working directory, or `bundled/…`.
  file: described("Identifies it", text),
  name: text,
  // First line of its opening comment, and the rest of the comment's first paragraphs.
  title: nullableText,
  about: nullableText,
  // Null: the file cannot be read as a scenario.
  lasts_s: nullable(integer),
  handsets: integer,
  people: integer,
  beats: arrayOf(text),
  playing: boolean,
  problem: described("Why it cannot be started: file:line:column and what is wrong", nullableText),
});
export type ScenarioNote = ValueOf<typeof scenarioNote>;

const storyBeat = objectOf({ name: text, about: nullableText, atMs: number });
export type StoryBeat = ValueOf<typeof storyBeat>;

const storyJump = objectOf({ beat: nullableText, fromMs: number, toMs: number });
/** Virtual time is played as fast as possible from `fromMs` to `toMs`. */
export type StoryJump = ValueOf<typeof storyJump>;

/** An expectation of the scenario. */
export const expectationView = objectOf({
  text,
  // `waiting`: its time has not come, or it can still be met.
  state: expectationState,
  seen: described("What was seen so far; null: nothing to say yet", nullableText),
  untilMs: described("When it is decided at the latest; null: at the end of the run", nullable(number)),
});
export type ExpectationView = ValueOf<typeof expectationView>;

/** The scenario's story, as the live stream has it. */
export const storyView = objectOf({
  name: described("Name of the scenario that plays", text),
  file: nullableText,
  about: nullableText,
  lastsMs: described("The scenario's own end: a served lab goes on after it. Null: it has none", nullable(number)),
  state: described("over: its end is reached; stopped: by hand, and the clock stands", storyState),
  isRepeating: described("It begins again by itself after its end, unless the clock is paused", boolean),
  refusal: described("Why no scenario can be started, begun again or stopped; null: they can", nullableText),
  jump: nullable(storyJump),
  beats: described("Named moments that a presenter can jump to, in order of time", arrayOf(storyBeat)),
  expectations: arrayOf(expectationView),
  notes: described(
    "Notes of the story so far, oldest first: the newest if there are many",
    arrayOf(objectOf({ atMs: number, text })),
  ),
});
export type StoryView = ValueOf<typeof storyView>;
