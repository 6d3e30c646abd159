/**
 * Field logs: files of servers, proxies, applications and the service become events in the order of time. Readers (one
 * a format) find the events; a spool sorts them in constant memory.
 */
export type { FieldAnswer, FieldEvent, FieldRetry } from "./field-event.js";
export { FieldLog, type FieldLogTotals, type FieldPlace, readFieldLog } from "./log/field-log.js";
export type { FieldLogOptions, RejectedPlace } from "./log/field-log-options.js";
export { type FieldFormat, fieldFormats } from "./log/recognise-format.js";
export { rejectReasons, type RejectReason } from "./readers/log-reader.js";
