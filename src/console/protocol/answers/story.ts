import { schema, type ValueOf } from "../../../schema/index.js";
import { nullableText, nullableTime } from "./shared.js";

const { arrayOf, boolean, described, integer, nullable, number, objectOf, oneOf, text, timestamp } = schema;

const storyState = oneOf(["playing", "over", "stopped"]);
const expectationState = oneOf(["waiting", "held", "failed"]);

/** The current scenario, for the control API. */
export const story = objectOf({
  name: text,
  file: nullableText,
  about: nullableText,
  state: storyState,
  ends: nullableTime,
  repeats: boolean,
  refusal: described("Reason why no scenario can be started or restarted here", nullableText),
  jump: nullable(objectOf({ beat: nullableText, from: timestamp, to: timestamp })),
  beats: arrayOf(objectOf({ name: text, about: nullableText, at: timestamp })),
  expectations: arrayOf(
    objectOf({
      text,
      state: expectationState,
      seen: nullableText,
      until: described("Latest instant of its decision; null: the end of the run", nullableTime),
    }),
  ),
  notes: arrayOf(objectOf({ at: timestamp, text })),
});
export type Story = ValueOf<typeof story>;

/** A scenario that can be started. */
export const scenarioNote = objectOf({
  // Its path from the working directory, or `bundled/…`.
  file: described("Id of the scenario", text),
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
  problem: described("Reason why it cannot be started: file:line:column and problem", nullableText),
});
export type ScenarioNote = ValueOf<typeof scenarioNote>;

const storyBeat = objectOf({ name: text, about: nullableText, atMs: number });
export type StoryBeat = ValueOf<typeof storyBeat>;

const storyJump = objectOf({ beat: nullableText, fromMs: number, toMs: number });
/** A jump, which plays virtual time from `fromMs` to `toMs` as fast as possible. */
export type StoryJump = ValueOf<typeof storyJump>;

/** An expectation of the scenario. */
export const expectationView = objectOf({
  text,
  // `waiting`: the expectation is not decided yet.
  state: expectationState,
  seen: described("The observation so far; null: none yet", nullableText),
  untilMs: described("Latest instant of its decision; null: the end of the run", nullable(number)),
});
export type ExpectationView = ValueOf<typeof expectationView>;

/** The current scenario, for the live stream. */
export const storyView = objectOf({
  name: described("Name of the current scenario", text),
  file: nullableText,
  about: nullableText,
  lastsMs: described("The scenario's end, after which a served lab continues; null: it has none", nullable(number)),
  state: described("over: it has reached its end; stopped: by hand, with the clock", storyState),
  isRepeating: described("It restarts automatically after its end, unless the clock is paused", boolean),
  refusal: described("Reason why no scenario can be started, restarted or stopped; null: none", nullableText),
  jump: nullable(storyJump),
  beats: described("Named moments that a presenter can jump to, in order of time", arrayOf(storyBeat)),
  expectations: arrayOf(expectationView),
  notes: described(
    "Notes of the story so far, oldest first: the newest if there are many",
    arrayOf(objectOf({ atMs: number, text })),
  ),
});
export type StoryView = ValueOf<typeof storyView>;
