/**
 * Rows for figures: only the columns that they need, as tuples, because creating a million objects takes longer than
 * reading the file.
 */

/** An event's type. */
export type TypedEvent = readonly [row: number, channel: number, number: number, type: string];

/** An event's time, virtual milliseconds. */
export type EventTime = readonly [row: number, atMs: number];

/**
 * An attempt without headers and body. Times are as in `AttemptRow`.
 *
 * `rest`: null for a first attempt that was accepted with status 200; else `OtherFigures` as a JSON list.
 */
export type AttemptFigures = readonly [
  row: number,
  channel: number,
  number: number,
  dueAtMs: number,
  sentWallMs: number | null,
  durationMs: number,
  latencyMs: number,
  latenessMs: number | null,
  rest: string | null,
];

/** The JSON list in `AttemptFigures`. */
export type OtherFigures = readonly [
  outcome: string,
  status: number | null,
  error: string | null,
  tryNumber: number,
  isRepeat: 0 | 1,
];

/** State of a group of handsets at an instant. */
export interface SampleRow {
  readonly atMs: number;
  /** Wall milliseconds since the run's sender was made. */
  readonly wallMs: number;
  /** The group, as the scenario names it. */
  readonly name: string;
  readonly handsets: number;
  /** On phones: messages to send, unacknowledged reports, and texts and calls that the app has not read. */
  readonly waiting: number;
  /** Phones without a data link. */
  readonly offline: number;
  /** Phones that are off. */
  readonly down: number;
  /** Phones that are charging. */
  readonly charging: number;
  /** Percent. */
  readonly batteryMean: number;
  readonly batteryMin: number;
}

const page = "row > ? ORDER BY row LIMIT ?";

export const selectUsualType = `SELECT type FROM (SELECT type FROM event ORDER BY row LIMIT 10000)
  GROUP BY type ORDER BY count(*) DESC, type LIMIT 1`;

export const selectTypesExcept: string =
  "SELECT row, channel, number, type FROM event WHERE row > ? AND type <> ? ORDER BY row LIMIT ?";

export const selectEventTimes: string = `SELECT row, at_ms FROM event WHERE ${page}`;

export const selectAttemptFigures: string = `SELECT row, channel, number, due_at_ms, sent_wall_ms, duration_ms,
    latency_ms, lateness_ms,
    CASE WHEN outcome = 'accepted' AND status = 200 AND try = 1 AND NOT is_repeat THEN NULL
      ELSE json_array(outcome, status, error, try, is_repeat) END
  FROM attempt WHERE ${page}`;

export const selectSamples: string = `SELECT row, at_ms AS atMs, wall_ms AS wallMs, name, handsets, waiting, offline, down,
  charging, battery_mean AS batteryMean, battery_min AS batteryMin FROM sample WHERE ${page}`;

export const selectHostSeconds: string = `SELECT row, at_ms AS atMs, share, others_per_core AS othersPerCore
  FROM host_second WHERE ${page}`;

/** Rows are in the order of their answers, so the last row with a request ended last. */
export const selectWallEnds: string = `SELECT
  (SELECT sent_wall_ms FROM attempt WHERE sent_wall_ms IS NOT NULL ORDER BY row LIMIT 1),
  (SELECT sent_wall_ms + duration_ms FROM attempt WHERE sent_wall_ms IS NOT NULL ORDER BY row DESC LIMIT 1)`;
