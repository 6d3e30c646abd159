/** What stands out in a run: figures in, sentences out. Thresholds are in docs/reports.md. */
export type { Finding } from "./finding.js";
export { factsOf } from "./facts.js";
export { findingsOf } from "./findings.js";
export { failureMeaning, formatShare, timeRangeText } from "./phrases.js";
