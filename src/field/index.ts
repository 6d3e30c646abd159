/**
 * Field logs: files of servers, proxies, applications and the service become events in the order of time. Readers (one
 * a format) find the events; a spool sorts them in constant memory; pseudonyms replace what tells about people.
 */
export { type EventFacts, factsOf } from "./event-facts.js";
export type { FieldAnswer, FieldEvent, FieldRetry } from "./field-event.js";
export { ImportedLog, importLog, type ImportLogOptions } from "./import/import-log.js";
export type { FieldHandset, FieldSummary } from "./import/summary.js";
export { FieldLog, type FieldLogTotals, type FieldPlace, readFieldLog } from "./log/field-log.js";
export type { FieldLogOptions, RejectedPlace } from "./log/field-log-options.js";
export { type FieldFormat, fieldFormats } from "./log/recognise-format.js";
export { Keywords } from "./pseudonyms/keywords.js";
export { EventPseudonyms } from "./pseudonyms/pseudonymise.js";
export { Pseudonyms } from "./pseudonyms/pseudonyms.js";
export { rejectReasons, type RejectReason } from "./readers/log-reader.js";
export { type FieldRecordingOptions, writeFieldRecording } from "./recording/field-recording.js";
