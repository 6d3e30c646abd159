/** Findings: anomalies of a run as sentences. `factsOf` collects the input; docs/reports.md lists the thresholds. */
export { type CommandEnd, explainsOthers, type Finding, type FindingFacts, isCounted, isWeighty } from "./finding.js";
export { factsOf } from "./facts.js";
export { busyText } from "./host.js";
export { type HostMeasures, isTooBusy } from "./host-measures.js";
export { affectedBy, findingsOf } from "./findings.js";
export type { CommonOf } from "./finding.js";
export type { SpecialOf } from "./outage-phrases.js";
export { failureMeaning, formatShare, listText, timeRangeText } from "./phrases.js";
