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
} from "../../protocol/index.js";

/** What the page knows of the lab: `lab-picture.ts` writes these signals, views read them. */

/** How the page stands to the server. `silent`: nothing has come for seconds; `refused`: the token is wrong or missing. */
export const connection = signal<"connecting" | "live" | "silent" | "lost" | "refused">("connecting");
/** When the next try is due while the connection is lost, milliseconds since 1970; undefined: it is being tried. */
export const retryAtMs = signal<number | undefined>(undefined);

export const lab = signal<LabFacts | undefined>(undefined);
/** Counts the labs that this page has shown: it grows when the lab was replaced, and nothing of before is true any more. */
export const labNumber = signal(0);
export const clock = signal<ClockView | undefined>(undefined);
export const totals = signal<Totals | undefined>(undefined);
/** At most ten minutes: `POINTS_MAX`. */
export const points = signal<readonly SeriesPoint[]>([]);
/** The newest entries, oldest first: at most `LOG_MAX`. */
export const liveLog = signal<readonly LogEntry[]>([]);
/** Entries that came too fast to be shown, since `liveLog` began. */
export const logSkipped = signal(0);
/** When the live scenario begins again by itself, by this machine's clock; undefined: it does not, as time goes now. */
export const beginsAgainAtMs = signal<number | undefined>(undefined);
export const story = signal<StoryView | undefined>(undefined);
export const run = signal<RunView | undefined>(undefined);

/**
 * The fleet's columns as typed arrays, changed in place. `version` counts changes: read it to be drawn again.
 * `changed` has the channels that changed since the version before; undefined: all.
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
