/**
 * Messages of the live stream: one WebSocket at `STREAM_PATH`. The page sends one `StreamHello`; the server answers
 * with a snapshot, then with numbered deltas, at most four a second. A page that lost its connection names the last
 * frame that it has; it gets the frames after it, or a snapshot where the server no longer has them.
 *
 * Times: `…AtMs` is virtual, in milliseconds since the lab's start; `…WallMs` is of the wall clock, since 1970.
 */
import { schema, type ValueOf } from "../../../schema/index.js";
import { fleet, fleetGroup, fleetRow } from "./fleet.js";
import { nullableText } from "./shared.js";
import { storyView } from "./story.js";

const { anyOf, arrayOf, boolean, described, integer, nullable, number, objectOf, oneOf, text } = schema;

/** First message of the page. */
export const streamHello = objectOf(
  // The token of the control API. It is not in the URL, because logs and histories keep URLs.
  { token: text },
  // The last frame that the page has, to resume after it.
  { resume: objectOf({ session: text, frame: integer }) },
);
export type StreamHello = ValueOf<typeof streamHello>;

/** Any later message of the page. */
export const streamWish = objectOf({
  traffic: described("Whether the page wants `traffic` in the frames that follow", boolean),
});
export type StreamWish = ValueOf<typeof streamWish>;

/** The facts about the lab. */
const labFacts = objectOf(
  {
    name: text,
    version: text,
    seed: integer,
    mode: described("serve: a service that stays up; run: a run that is playing or over", oneOf(["serve", "run"])),
    startsAtMs: described("The instant 0 of virtual time, milliseconds since 1970", number),
    lastsMs: described("End of the scenario; null: it has none", nullable(number)),
    timezone: described("The scenario's time zone (IANA)", text),
    receiver: described("The default delivery URL, without user name and query; null: none", nullableText),
    isBundledReceiver: boolean,
    database: described("The file of the recording; null: in memory", nullableText),
    people: integer,
    hasClock: described("The clock can be paused and stepped: not in lockstep and max runs", boolean),
    hasPast: described("The recording's past can be shown", boolean),
  },
  {
    settleMs: described("Lockstep: wall time for which the clock stops after each window of answers", number),
    pastEndsAtMs: described("For a served copy of a recording: the end of the recording and of its past", number),
  },
);
export type LabFacts = ValueOf<typeof labFacts>;

const clockView = objectOf({
  nowMs: number,
  speed: described("Virtual seconds in a wall second; 0: the clock is not paced", number),
  isPaused: boolean,
  wallMs: described("Wall time of this reading: the page extrapolates from it", number),
});
export type ClockView = ValueOf<typeof clockView>;

/** Counts since the lab's start. */
export const totals = objectOf({
  events: integer,
  texts: described("Events that are texts of people", integer),
  accepted: integer,
  failures: described("Attempts that failed", integer),
  inFlight: integer,
  retrying: integer,
  waitingOnPhones: described("Messages and reports that wait on phones", integer),
  alarms: integer,
  lost: described("Texts lost by a cause", integer),
});
export type Totals = ValueOf<typeof totals>;

/** Properties of a point of the series. */
const ofPoint = {
  atMs: described("The end of the second or span", number),
  events: described("Events created in it", integer),
  accepted: integer,
  failures: integer,
  p50Ms: described("Latency from the due time of the attempts answered in it, wall milliseconds", nullable(number)),
  p99Ms: nullable(number),
  waitingOnPhones: described("Messages and reports that waited on phones at its end", integer),
};
const ofStep = {
  isStepped: described("The clock was stepped or jumped in it, so its counts are not a rate", schema.constant(true)),
};

/** One wall second. */
const seriesPoint = objectOf({ wallMs: number, ...ofPoint }, ofStep);
export type SeriesPoint = ValueOf<typeof seriesPoint>;

/** Counts after `fromMs` and up to `atMs`, virtual milliseconds. */
export const pastPoint = objectOf({ fromMs: number, ...ofPoint }, ofStep);
export type PastPoint = ValueOf<typeof pastPoint>;

const eventEntry = objectOf({
  kind: oneOf(["event"]),
  id: described("channel/number", text),
  handset: text,
  atMs: number,
  type: text,
  phone: nullableText,
  text: nullableText,
});
export type EventEntry = ValueOf<typeof eventEntry>;

/** The texts of a frame, in events `mo_sms`, and the messages, in events `mt_sent`. */
const traffic = objectOf({
  counts: described("A row for each group with traffic: its first channel, texts, messages", arrayOf(arrayOf(integer))),
  sample: described("Some of the events, oldest first; a few of each group if there are many", arrayOf(eventEntry)),
});
export type Traffic = ValueOf<typeof traffic>;

/** An entry of the live log. */
const logEntry = anyOf(
  eventEntry,
  objectOf({
    kind: oneOf(["attempt"]),
    id: described("channel/number", text),
    handset: text,
    atMs: number,
    try: integer,
    status: nullable(integer),
    error: nullableText,
    outcome: text,
    durationMs: number,
  }),
  objectOf({ kind: oneOf(["note"]), atMs: number, handset: nullableText, text }),
  objectOf({ kind: oneOf(["hand", "api"]), atMs: number, text }),
);
export type LogEntry = ValueOf<typeof logEntry>;

const runVerdict = objectOf({
  state: oneOf(["held", "held with warnings", "not judged", "failed"]),
  headline: described("One sentence", text),
});
export type RunVerdict = ValueOf<typeof runVerdict>;

const finding = objectOf({
  text,
  severity: oneOf(["problem", "warning", "fact"]),
  affected: described("Value of the filter `affected` that lists its events; null: there is none", nullableText),
});
export type FindingView = ValueOf<typeof finding>;

/** State and verdict of a run. */
const runView = objectOf({
  isOver: boolean,
  verdict: described("null: the run still plays", nullable(runVerdict)),
  findings: described("What went wrong, then the findings of the report, worst first", arrayOf(finding)),
  findingsClock: described("Clock of the times in `findings`: virtual in lockstep", oneOf(["virtual", "real"])),
  beginsWallMs: described(
    "Start of the run, milliseconds since 1970, from which real times in `findings` count; null: they are virtual",
    nullable(number),
  ),
  report: described("Path of the report's page at this server; null: there is no report (yet)", nullableText),
});
export type RunView = ValueOf<typeof runView>;

/** Parts that are sent complete when they change. */
const changingParts = { story: storyView, run: runView };
export interface ChangingParts {
  readonly story: ValueOf<typeof storyView>;
  readonly run: RunView;
}

/** The complete live state, which replaces the page's state. */
const snapshotFrame = objectOf(
  {
    kind: oneOf(["snapshot"]),
    session: described("A new one after each start of the server, and after the lab was replaced", text),
    frame: integer,
    lab: labFacts,
    clock: clockView,
    totals,
    groups: arrayOf(fleetGroup),
    fleet,
    points: described("The last ten minutes of wall time at most, oldest first", arrayOf(seriesPoint)),
    log: described("The newest entries, oldest first", arrayOf(logEntry)),
  },
  changingParts,
);
export type SnapshotFrame = ValueOf<typeof snapshotFrame>;

/** The changes since the previous frame. Absent parts are unchanged. */
const deltaFrame = objectOf(
  {
    kind: oneOf(["delta"]),
    frame: described("The number of the previous frame, plus 1", integer),
    clock: clockView,
  },
  {
    totals,
    fleet: arrayOf(fleetRow),
    points: described("New seconds of the series", arrayOf(seriesPoint)),
    log: described("New entries, oldest first; only the newest if there are many", arrayOf(logEntry)),
    logSkipped: described("Number of entries in this frame's span that are not in `log`", integer),
    traffic: described("The texts and messages of this frame, for pages that want them", traffic),
    ...changingParts,
  },
);
export type DeltaFrame = ValueOf<typeof deltaFrame>;

/** A message of the server. */
export const streamFrame = anyOf(snapshotFrame, deltaFrame);
export type StreamFrame = ValueOf<typeof streamFrame>;
