/** The audit: trials of the contract at a receiver, and the report card. */
export { auditReceiver } from "./audit.js";
export type { AuditOptions } from "./options.js";
export { auditFamilies } from "./registry.js";
export type { AuditFinding, AuditResult } from "./result.js";
export { auditMutants } from "./mutants/mutants.js";
export { renderAudit } from "./report/render.js";
export { renderAuditHtml } from "./report/html.js";
export { renderAuditJunit } from "./report/junit.js";
export { renderMutants } from "./report/mutants.js";
