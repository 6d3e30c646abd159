import { schema, type ValueOf } from "../../../schema/index.js";
import { fleet, fleetGroup } from "./fleet.js";
import { nullableText } from "./shared.js";
import { storyView } from "./story.js";
import { pastPoint, totals } from "./stream.js";

const { anyOf, arrayOf, boolean, described, integer, nullable, number, objectOf, oneOf, text } = schema;

/** Something that happened, on the scrubber's track. */
const pastMark = objectOf({
  atMs: number,
  kind: oneOf(["beat", "cause", "alarm", "note", "hand", "restart"]),
  text,
  count: described("How many there are of this kind at about this instant, this one included", integer),
});
export type PastMark = ValueOf<typeof pastMark>;

/** Events and failed attempts in equal spans from 0. */
const pastDensity = objectOf({ spanMs: number, events: arrayOf(integer), failures: arrayOf(integer) });
export type PastDensity = ValueOf<typeof pastDensity>;

const readyPast = objectOf({
  state: oneOf(["ready"]),
  fromMs: number,
  untilMs: number,
  untilWhy: described(
    "Why it ends there, in a sentence: a restart, a kill; null: the run was over, or goes on",
    nullableText,
  ),
  receiver: described("Where its events went by default, without user name and query; null: nowhere", nullableText),
  canRefresh: described("The lab goes on: a refresh adds what has happened since", boolean),
  groups: arrayOf(fleetGroup),
  frames: described("Instants of the pictures of the fleet that are ready, ascending", arrayOf(number)),
  isComplete: described("All pictures are there: the whole recording has been computed again", boolean),
  exact: described(
    "Where the exact state stands, and where it is on its way to; null: nobody asked yet",
    nullable(objectOf({ atMs: number, wantedMs: number })),
  ),
  differsAtMs: described(
    "The first instant whose events differ from the recorded ones: from there on nothing is shown; null: none so far",
    nullable(number),
  ),
  failure: described("Why the pictures end early, in a sentence; null: they do not", nullableText),
  marks: arrayOf(pastMark),
  density: pastDensity,
  points: described(
    "Spans from 0 on, without gaps, as far as the recording has been computed again",
    arrayOf(pastPoint),
  ),
});
export type ReadyPast = ValueOf<typeof readyPast>;

/** What of the past can be looked at, and how far the preparation is. */
export const pastView = anyOf(
  objectOf({
    state: described("opening: ask again soon; none: the phones' past cannot be shown", oneOf(["opening", "none"])),
    why: nullableText,
    canRefresh: boolean,
  }),
  readyPast,
);
export type PastView = ValueOf<typeof pastView>;

/** A picture of the fleet at an instant. `story`: of exact moments only. */
export const pastFrame = objectOf({ atMs: number, fleet, totals }, { story: storyView });
export type PastFrame = ValueOf<typeof pastFrame>;
