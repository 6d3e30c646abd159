/** The audit: trials of the contract at a receiver, and the report card. */
export { auditReceiver, type AuditOptions } from "./audit.js";
export { auditFamilies, auditTrials } from "./registry.js";
export type { AuditFinding, AuditGrade, AuditResult } from "./result.js";
export type { AuditTrial } from "./trial.js";
export { auditMutants, type MutantsResult } from "./mutants/mutants.js";
