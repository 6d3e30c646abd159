/** What a run says of itself: its result, and the summary that a person reads. */
export { type ExpectationResult, type RepliesResult, resultOf, type RunResult } from "./result.js";
export {
  behindText,
  groupOf,
  type LoadModel,
  type Measures,
  measuresOf,
  meterOf,
  type PartMeasures,
} from "./measures.js";
export { type NextCommand, renderSummary, type SummaryOptions } from "./summary.js";
export { formatCount, formatDuration } from "./words.js";
