/** Findings: anomalies of a run as sentences. `factsOf` collects the input; docs/reports.md lists the thresholds. */
export type { Finding } from "./finding.js";
export { factsOf } from "./facts.js";
export { findingsOf } from "./findings.js";
export { failureMeaning, formatShare, timeRangeText } from "./phrases.js";
