/**
 * Field logs: files of servers, proxies, applications and the service become events in the order of time. Readers (one
 * a format) find the events; a spool sorts them in constant memory; pseudonyms replace what tells about people.
 * `inferDay` finds what caused the events, `writeFittingScenario` writes the scenario that plays them.
 */
export { causeOf, causePhrase, causesJson, causesTogether, causeShares } from "./causes/cause-report.js";
export { isOfSend, readDay } from "./causes/day-row.js";
export { inferDay, type InferredDay } from "./causes/infer-day.js";
export { type Reproduced, reproducedRows, timeOf } from "./scenario/reproduced.js";
export { largestScenario, writeFittingScenario } from "./scenario/write-scenario.js";
export type { FieldEvent } from "./field-event.js";
export { ImportedLog, importLog, type ImportLogOptions } from "./import/import-log.js";
export { type FieldLogTotals, readFieldLog } from "./log/field-log.js";
export type { FieldLogOptions, RejectedPlace } from "./log/field-log-options.js";
export { type FieldFormat, fieldFormats, recogniseFormat } from "./log/recognise-format.js";
export { Keywords } from "./pseudonyms/keywords.js";
export { EventPseudonyms } from "./pseudonyms/pseudonymise.js";
export { pseudonymKey } from "./pseudonyms/key-file.js";
export { Pseudonyms, secretName } from "./pseudonyms/pseudonyms.js";
export { rejectReasons } from "./readers/log-reader.js";
export { writeFieldRecording } from "./recording/field-recording.js";
