import { useMemo } from "preact/hooks";
import { formatShortRate } from "../format/index.js";
import { FleetCharts } from "./fleet-charts.jsx";
import { type Line, LineChart } from "./line-chart.jsx";
import { useChartSeries } from "./use-chart-series.js";

const failures: readonly Line[] = [{ label: "Failed", colour: "--chart-5", isFilled: true }];

/** The charts of the fleet, and a separate chart of failures. */
export function RunCharts() {
  const series = useChartSeries({ ofRun: true });
  const failed = useMemo(() => series.rates(["failures"]), [series]);
  return (
    <>
      <FleetCharts ofRun />
      <div class="fleet-charts">
        <LineChart
          title="Failed attempts"
          unit={series.rateUnit}
          lines={failures}
          data={failed}
          axis={series.axis}
          format={formatShortRate}
          none={series.none}
        />
      </div>
    </>
  );
}
