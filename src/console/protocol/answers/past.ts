import { schema, type ValueOf } from "../../../schema/index.js";
import { fleet, fleetGroup } from "./fleet.js";
import { nullableText } from "./shared.js";
import { storyView } from "./story.js";
import { pastPoint, totals } from "./stream.js";

const { anyOf, arrayOf, boolean, described, integer, nullable, number, objectOf, oneOf, text } = schema;

/** A notable moment on the scrubber's track. */
const pastMark = objectOf({
  atMs: number,
  kind: oneOf(["beat", "cause", "alarm", "note", "hand", "restart"]),
  text,
  count: described("Number of marks of this kind that are merged into this one", integer),
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
    "Reason why it ends there, in a sentence: a restart, a kill; null: the run ended there, or still runs",
    nullableText,
  ),
  receiver: described("Its default delivery URL, without user name and query; null: none", nullableText),
  canRefresh: described("The lab still runs: a refresh adds newer history", boolean),
  groups: arrayOf(fleetGroup),
  frames: described("Instants of the available frames of the fleet, ascending", arrayOf(number)),
  isComplete: described("The whole recording has been re-executed, so all frames are available", boolean),
  exact: described(
    "Current and requested instant of the exact state; null: none was requested yet",
    nullable(objectOf({ atMs: number, wantedMs: number })),
  ),
  differsAtMs: described(
    "The first instant whose events differ from the recorded ones, from which no state is available; null: none so far",
    nullable(number),
  ),
  failure: described("Reason why the frames end early, in a sentence; null: they do not", nullableText),
  marks: arrayOf(pastMark),
  density: pastDensity,
  points: described("Spans from 0 on, without gaps, for the re-executed part of the recording", arrayOf(pastPoint)),
});
export type ReadyPast = ValueOf<typeof readyPast>;

/** The range of the past, and the progress of its computation. */
export const pastView = anyOf(
  objectOf({
    state: described("opening: retry soon; none: the phones' past is not available", oneOf(["opening", "none"])),
    why: nullableText,
    canRefresh: boolean,
  }),
  readyPast,
);
export type PastView = ValueOf<typeof pastView>;

/** The fleet at an instant. Only exact frames have `story`. */
export const pastFrame = objectOf({ atMs: number, fleet, totals }, { story: storyView });
export type PastFrame = ValueOf<typeof pastFrame>;
