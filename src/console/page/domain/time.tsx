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

/** The virtual day of the lab's clock. It changes once a day, so tables are not drawn again each second. */
const today = computed(() => {
  const [frame, nowMs] = [lab.value, clock.value?.nowMs];
  return frame === undefined || nowMs === undefined ? undefined : formatInstant(nowMs, frame, "day");
});

/** Whether the lab has run over midnight, so that a time without a date is ambiguous. */
export const spansDays = computed((): boolean => {
  const frame = lab.value;
  return frame !== undefined && today.value !== undefined && formatInstant(0, frame, "day") !== today.value;
});

/**
 * `recent` and the shorter `recent-date`: only the time if the instant is on the lab's current day, else with the day.
 */
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

/** Converts a virtual instant of the APIs (ISO 8601) to milliseconds since the lab's start. */
export function atMsOf(iso: string): number {
  return Date.parse(iso) - (lab.value?.startsAtMs ?? 0);
}

/** A virtual instant of the APIs (ISO 8601). */
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
