import { useMemo } from "preact/hooks";
import { formatDuration, formatShort, formatShortRate } from "../format/index.js";
import { type Line, LineChart } from "./line-chart.jsx";
import { useChartSeries } from "./use-chart-series.js";
import "./fleet-charts.css";

const flow: readonly Line[] = [
  { label: "Events", colour: "--chart-1", isFilled: true },
  { label: "Accepted", colour: "--chart-2", isDashed: true },
  { label: "Failed", colour: "--chart-5" },
];
const waiting: readonly Line[] = [{ label: "Waiting", colour: "--chart-3", isFilled: true }];
const latency: readonly Line[] = [
  { label: "Median", colour: "--chart-1" },
  { label: "99%", colour: "--chart-3", isDashed: true },
];

/**
 * Charts of events, queues on phones, and latency: for the last ten minutes of real time, or for the whole recording
 * while the page shows the past.
 */
export function FleetCharts({ ofRun = false }: { readonly ofRun?: boolean }) {
  const series = useChartSeries({ ofRun });
  const events = useMemo(() => series.rates(["events", "accepted", "failures"]), [series]);
  const held = useMemo(() => series.values(["waitingOnPhones"]), [series]);
  const delays = useMemo(() => series.values(["p50Ms", "p99Ms"]), [series]);
  return (
    <div class="fleet-charts">
      <LineChart
        title="Events"
        unit={series.rateUnit}
        lines={flow}
        data={events}
        axis={series.axis}
        format={formatShortRate}
        none={series.none}
      />
      <LineChart
        title="On phones"
        unit="messages and reports"
        lines={waiting}
        data={held}
        axis={series.axis}
        format={formatShort}
        none={series.none}
      />
      <LineChart
        title="Latency"
        unit="until the receiver answers"
        lines={latency}
        data={delays}
        axis={series.axis}
        format={formatDuration}
        none={series.none ?? "No answers in this time"}
      />
    </div>
  );
}
