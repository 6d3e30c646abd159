/** Compares a receiver's own log with what was delivered to it. */
export { reconcile, type Reconciliation } from "./reconcile.js";
export { isReconciled, reconciliationJunit, renderReconciliation } from "./render.js";
export {
  type Columns,
  findColumns,
  type ReceivedRow,
  columnRoles,
  normalizePhone,
  withPostedBody,
} from "./received-rows.js";
