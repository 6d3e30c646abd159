/**
 * Compares a receiver's own log with what was delivered to it: columns are recognised, rows are matched with events, and
 * each difference is described.
 */
export { type ColumnRole, columnRoles, type ColumnsByRole, type GivenColumns } from "./columns/column-roles.js";
export { splitPostedBodies } from "./log/posted-bodies.js";
export { type LogCell, ReceivedTable } from "./log/received-table.js";
export type { SentEvent } from "./events/sent-events.js";
export { reconcile, type Reconciliation, reconcileSent } from "./reconcile.js";
export { isReconciled, renderReconciliation } from "./render.js";
export { reconciliationJunit } from "./junit.js";
