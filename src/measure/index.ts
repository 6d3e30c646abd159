/** What is measured: latencies, counts, round trips, and the names under which they are asked for. Reads no clock. */
export { Cell, type Measured } from "./cell.js";
export { Doubles } from "./doubles.js";
export { Latency, type PackedLatency, type Percentiles } from "./latency.js";
export { Meter } from "./meter.js";
export {
  type Metric,
  metricName,
  metricNames,
  metricOf,
  type MetricSource,
  type MetricUnit,
  spanFamilies,
  type SpanFamily,
  staysBroken,
} from "./metric.js";
export { PersonOrder } from "./order.js";
export { attemptOutcomes, type AttemptOutcome } from "./outcomes.js";
export { Repeats } from "./repeats.js";
export { type RoundTrip, RoundTrips } from "./round-trips.js";
export { LATE_MS, type Punctuality, Schedule } from "./schedule.js";
export { SpanWindow } from "./span-window.js";
export type { Tags } from "./tags.js";
export { type FailureSpan, type LeftAttempt, Timeline, type TimelineSeries } from "./timeline.js";
