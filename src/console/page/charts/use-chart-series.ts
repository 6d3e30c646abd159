import { useMemo } from "preact/hooks";
import { connection, lab, points, run } from "../connection/state.js";
import { moment } from "../connection/moment.js";
import { past as pastView, readyPast } from "../connection/past-state.js";
import { runSeries } from "./run-series.js";
import { type ChartSeries, liveSeries } from "./series.js";
import { pastSeries } from "./past-series.js";

/**
 * The current data of charts: of the live lab, or of the recording while the page shows the past.
 *
 * @param ofRun - a run's charts count from its start, as its findings do
 */
export function useChartSeries({ ofRun = false }: { readonly ofRun?: boolean } = {}): ChartSeries {
  const momentMs = moment.value;
  const past = momentMs === undefined ? undefined : readyPast();
  const live = points.value;
  const frame = lab.value;
  const recorded = past?.points;
  const isOpening = pastView.value?.state === "opening";
  const played = ofRun ? run.value : undefined;
  const isStopped = connection.value !== "live" || run.value?.isOver === true;
  return useMemo(() => {
    if (momentMs === undefined && played !== undefined) return runSeries(live, played);
    if (momentMs === undefined || past === undefined || recorded === undefined || frame === undefined)
      return liveSeries(live, { isStopped, isOpening });
    return pastSeries(recorded, { untilMs: past.untilMs, momentMs, frame });
  }, [
    live,
    recorded,
    past?.untilMs,
    momentMs,
    frame,
    isStopped,
    isOpening,
    played?.findingsClock,
    played?.beginsWallMs,
  ]);
}
