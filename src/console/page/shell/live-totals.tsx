import type { SeriesPoint } from "../../protocol/index.js";
import { lateFailures } from "../charts/late-failures.js";
import { rateOf, rateUnitOf, spanAt, spanWords } from "../charts/past-series.js";
import { moment } from "../connection/moment.js";
import { readyPast } from "../connection/past-state.js";
import { lab, openAlarms, points, run, totals } from "../connection/state.js";
import { linkTo } from "../navigation/routes.js";
import { Stat } from "../design/index.js";
import { useMedia } from "./use-media.js";
import { formatCount, formatDuration, formatRate, formatShort } from "../format/index.js";

/** Period of rates and latencies, in seconds. */
const SPAN_S = 5;

/** Rates, queues and failures, now or at the shown moment of the past. */
export function LiveTotals() {
  const isNarrow = useMedia("(max-width: 1500px)");
  const now = totals.value;
  if (now === undefined) return null;
  const open = openAlarms.value;
  const late = lateFailures();
  const { isPast, unit, rate, latency, span } = moment.value === undefined ? pace() : pastPace(moment.value);
  return (
    // On narrow screens it scrolls sideways, also with keys.
    <section
      class="shell-totals design-line"
      aria-label={isPast ? "Totals" : "Live totals"}
      {...(isNarrow && { tabIndex: 0 })}
    >
      <Stat
        label={`Events/${unit}`}
        value={rate === undefined ? "–" : formatRate(rate)}
        title={rate === undefined ? span : `Events ${span}`}
      />
      <Stat
        label="Latency p50 / p99"
        value={latency === undefined ? "–" : `${formatDuration(latency.p50Ms)} / ${formatDuration(latency.p99Ms)}`}
        title={
          rate === undefined
            ? span
            : `How long the receiver took to answer, in real time, ${span}; – : nothing was answered`
        }
      />
      <Stat
        label="On phones"
        value={formatShort(now.waitingOnPhones)}
        tone={now.waitingOnPhones > 0 ? "warning" : undefined}
        title="Messages and reports that wait on phones"
      />
      <Stat
        label="Failed tries"
        value={formatShort(now.failures)}
        tone={late.failures > 0 ? "bad" : undefined}
        title={`Attempts that failed since the start, of ${formatCount(now.accepted + now.failures)}; ${formatCount(late.failures)} ${late.span}`}
      />
      <Stat
        label="To retry"
        value={formatShort(now.retrying)}
        tone={now.retrying > 0 ? "warning" : undefined}
        title="Events whose last attempt failed and that wait for another one"
      />
      <Stat
        label="Open alarms"
        value={formatShort(open)}
        tone={open > 0 ? "bad" : undefined}
        title={`Handsets with an alarm that has not cleared; ${formatCount(now.alarms)} were raised since the start`}
      />
      {now.lost > 0 && (
        <Stat
          label="Lost texts"
          value={formatShort(now.lost)}
          title="Texts that never arrived, since the start: the list shows the causes"
          href={linkTo("losses")}
        />
      )}
      <Stat label="Events" value={formatCount(now.events)} title="Events that the service has made since the start" />
    </section>
  );
}

interface Pace {
  readonly isPast: boolean;
  readonly unit: string;
  /** Events per unit of time; undefined: unknown. */
  readonly rate: number | undefined;
  readonly latency: { readonly p50Ms: number; readonly p99Ms: number } | undefined;
  /** The period, or the reason why the values are unknown. */
  readonly span: string;
}

function pace(): Pace {
  const isOver = run.value?.isOver === true;
  const last = isOver ? [] : points.value.slice(-SPAN_S).filter(({ isStepped }) => isStepped !== true);
  return {
    isPast: false,
    unit: "s",
    rate: isOver ? undefined : last.reduce((sum, { events }) => sum + events, 0) / Math.max(1, last.length),
    latency: latencyOf(last),
    span: isOver ? "The run is over" : `in the last ${SPAN_S} seconds of real time`,
  };
}

/** The values of the series' span that contains the moment. */
function pastPace(atMs: number): Pace {
  const recorded = readyPast()?.points ?? [];
  const { seconds, label, words } = rateUnitOf(recorded);
  const point = spanAt(recorded, atMs);
  const facts = lab.value;
  if (point === undefined || facts === undefined)
    return { isPast: true, unit: label, rate: undefined, latency: undefined, span: "Not computed yet" };
  return {
    isPast: true,
    unit: label,
    rate: seconds * rateOf(point.events, point),
    latency: latencyOf([point]),
    span: `${words} from ${spanWords(point, facts).replace("–", " to ")} of virtual time`,
  };
}

/** The median of the seconds' p50, and the maximum of their p99. */
function latencyOf(last: readonly Pick<SeriesPoint, "p50Ms" | "p99Ms">[]): Pace["latency"] {
  const p50s = last.flatMap(({ p50Ms }) => p50Ms ?? []).sort((a, b) => a - b);
  const p50Ms = p50s[Math.floor(p50s.length / 2)];
  if (p50Ms === undefined) return undefined;
  return { p50Ms, p99Ms: Math.max(...last.flatMap(({ p99Ms }) => p99Ms ?? [])) };
}
