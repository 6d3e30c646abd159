/**
 * Measurements: histograms, counters, round trips, timelines, and the metric names that select them. Reads no clock.
 */
export { Measurements, type MeasuredAttempt } from "./measurements.js";
export { ClearSpan, overlapsAny } from "./clear-span.js";
export { Doubles } from "./doubles.js";
export { eventId, eventKey, type EventName } from "./event-name.js";
export { Latency, type PackedLatency, type Percentiles } from "./latency.js";
export { Meter } from "./meter.js";
export {
  countLost,
  type Losses,
  type Metric,
  metricName,
  metricNames,
  metricOf,
  type MetricUnit,
  spanFamilies,
  staysBroken,
} from "./metric.js";
export { type HostSecond, HostPressure, type WallSpan } from "./host-pressure.js";
export { type Outage, shiftOutage, type UnderWay } from "./open-outage.js";
export { failureKindOf, showsLatency, troubleCode, troubleOfCode } from "./trouble-code.js";
export { TroubleEffects } from "./trouble-effects.js";
export { type BreakingEvent, Outages } from "./outages.js";
export { Spacing, type SpacingResult } from "./spacing.js";
export { PersonOrder } from "./person-order.js";
export { attemptOutcomes, type AttemptOutcome } from "./attempt-outcomes.js";
export { Repeats } from "./repeats.js";
export { type RoundTrip, RoundTrips } from "./round-trips.js";
export {
  backlogOf,
  type BucketRange,
  maxOf,
  meanServiceMs,
  medianOf,
  periodOf,
  rangesWhere,
  sumOf,
} from "./bucket-ranges.js";
export { firstIndex } from "./first-index.js";
export { type LoadModel, loadModelOfPace } from "./load-model.js";
export { LATE_MS, type Punctuality, PunctualityMeter } from "./punctuality.js";
export { SpanWindow } from "./span-window.js";
export { type IgnoredReplies, isUnclear, ReplyOutcomes } from "./reply-outcomes.js";
export type { DrainResult, ExpectationResult } from "./result-parts.js";
export { type SeriesPressure, seriesPressure, withoutLeftOut, withoutPressure } from "./series-pressure.js";
export { autocorrelationOf } from "./trend/autocorrelation.js";
export { growthMsOf, type Trend, trendOf, trendOfMeter } from "./trend/trend.js";
export { groupOf, type Tags } from "./tags.js";
export type { FailureSpan, TimelineSeries } from "./timeline.js";
