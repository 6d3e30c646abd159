import { computed } from "@preact/signals";
import { clock, lab } from "../connection/state.js";
import {
  formatElapsed,
  formatInstant,
  formatWall,
  type InstantShow,
  isoInstant,
  type TimeFrame,
} from "../format/index.js";

/** The virtual day of the lab's clock: it changes once a day, so that tables are not drawn with each second. */
const today = computed(() => {
  const [frame, nowMs] = [lab.value, clock.value?.nowMs];
  return frame === undefined || nowMs === undefined ? undefined : formatInstant(nowMs, frame, "day");
});

/** Whether the lab has seen more than one day: then a time alone does not say which it is of. */
export const spansDays = computed((): boolean => {
  const frame = lab.value;
  return frame !== undefined && today.value !== undefined && formatInstant(0, frame, "day") !== today.value;
});

/** The time alone if the instant is of the lab's present day, else with the day: `recent`, and shorter `recent-date`. */
export type TimeShow = InstantShow | "recent" | "recent-date";

/** A virtual instant in the lab's time zone; the rest on hover. @param atMs - milliseconds since the lab's start */
export function Time({ atMs, show = "time" }: { readonly atMs: number; readonly show?: TimeShow }) {
  const frame = lab.value;
  if (frame === undefined) return <span class="design-number">{formatElapsed(atMs)}</span>;
  return (
    <time
      class="design-number"
      dateTime={isoInstant(atMs, frame)}
      title={`${formatInstant(atMs, frame, "full")} (${frame.timezone}), ${formatElapsed(atMs)} after the start`}
    >
      {formatInstant(atMs, frame, instantShow(show, atMs, frame))}
    </time>
  );
}

function instantShow(show: TimeShow, atMs: number, frame: TimeFrame): InstantShow {
  if (show !== "recent" && show !== "recent-date") return show;
  if (formatInstant(atMs, frame, "day") === today.value) return "time";
  return show === "recent" ? "moment" : "date-time";
}

/** Milliseconds since the lab's start of a virtual instant as the control API and the REST API write it (ISO 8601). */
export function atMsOf(iso: string): number {
  return Date.parse(iso) - (lab.value?.startsAtMs ?? 0);
}

/** A virtual instant as the control API and the REST API write it. */
export function IsoTime({ iso, show = "time" }: { readonly iso: string | null; readonly show?: TimeShow }) {
  if (iso === null) return <span class="design-muted">never</span>;
  return <Time atMs={atMsOf(iso)} show={show} />;
}

/** An instant of the wall clock in the reader's time zone. @param wallMs - milliseconds since 1970 */
export function WallTime({ wallMs, show = "time" }: { readonly wallMs: number; readonly show?: InstantShow }) {
  return (
    <time
      class="design-number"
      dateTime={new Date(wallMs).toISOString()}
      title={`${formatWall(wallMs, "full")}, real time`}
    >
      {formatWall(wallMs, show)}
    </time>
  );
}
