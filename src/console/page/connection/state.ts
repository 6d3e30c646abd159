import { computed, signal } from "@preact/signals";
import {
  type ClockView,
  type FleetColumn,
  type FleetGroup,
  handsetFlags,
  type LabFacts,
  type LogEntry,
  type RunView,
  type SeriesPoint,
  type StoryView,
  type Totals,
  type Traffic,
} from "../../protocol/index.js";

/** The page's state of the lab: `lab-picture.ts` writes these signals, views read them. */

/** State of the connection. `silent`: no frame has arrived for seconds; `refused`: the token is wrong or missing. */
export const connection = signal<"connecting" | "live" | "silent" | "lost" | "refused">("connecting");
/**
 * While the connection is lost: the time of the next attempt, milliseconds since 1970; undefined: an attempt is under
 * way.
 */
export const retryAtMs = signal<number | undefined>(undefined);

export const lab = signal<LabFacts | undefined>(undefined);
/** Counts the labs that this page has shown. A new number invalidates all earlier state. */
export const labNumber = signal(0);
export const clock = signal<ClockView | undefined>(undefined);
export const totals = signal<Totals | undefined>(undefined);
/** At most ten minutes: `POINTS_MAX`. */
export const points = signal<readonly SeriesPoint[]>([]);
/** The newest entries, oldest first: at most `LOG_MAX`. */
export const liveLog = signal<readonly LogEntry[]>([]);
/** Entries that the stream skipped since `liveLog` began. */
export const logSkipped = signal(0);
/** The traffic since the previous animation frame, oldest first, while `wishTraffic` asks for it. */
export const traffic = signal<readonly Traffic[]>([]);
/**
 * Time of the automatic restart of the live scenario, by this machine's clock; undefined: none at the current speed.
 */
export const beginsAgainAtMs = signal<number | undefined>(undefined);
export const story = signal<StoryView | undefined>(undefined);
export const run = signal<RunView | undefined>(undefined);

/**
 * The fleet's columns as typed arrays, changed in place. `version` counts changes: a component that reads it is drawn
 * again. `changed` has the channels that changed since the previous version; undefined: all.
 */
export interface FleetState {
  readonly groups: readonly FleetGroup[];
  readonly count: number;
  readonly columns: Readonly<Record<FleetColumn, Int32Array>>;
  readonly changed: readonly number[] | undefined;
  readonly version: number;
}

export const fleet = signal<FleetState | undefined>(undefined);

/** Handsets with an alarm that has not cleared: `Totals.alarms` counts all that were raised. */
export const openAlarms = computed((): number => {
  let count = 0;
  for (const flags of fleet.value?.columns.flags ?? []) if ((flags & handsetFlags.hasAlarm) !== 0) count++;
  return count;
});

export const LOG_MAX = 1000;
export const POINTS_MAX = 600;
