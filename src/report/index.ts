/**
 * The result of a run, its summary, its report in every format, the comparison of two runs, and the life of one event.
 */
export { type FailIf, readFailIf } from "./compare/fail-if.js";
export { type Comparison, compareRecordings } from "./compare/compare.js";
export { renderComparisonHtml } from "./compare/html.js";
export { renderComparison } from "./compare/terminal.js";
export type { ReceiverBehaviour } from "./receiver-behaviour.js";
export { type Figures, gatherFigures } from "./figures/index.js";
export { GROUP_NAMES_KEY } from "./group-names.js";
export {
  RECEIVER_STEPS_KEY,
  STORY_KEY,
  type ConditionalStep,
  type StoryStep,
  type StoryOutline,
} from "./story-outline.js";
export { affectedBy, type Finding } from "./findings/index.js";
export { endText, type ReceiverEnd, RECEIVER_OUTPUT_KEY, type ReceiverOutput } from "./receiver-output.js";
export { eventLines } from "./formats/event-lines.js";
export { csvPieces } from "./formats/csv.js";
export { HAR_LIMIT, harPieces } from "./formats/har.js";
export { type FormatOptions, type ReportFormat, reportFormats } from "./formats/index.js";
export { renderJson } from "./formats/json.js";
export {
  affectedEvents,
  type AffectedKind,
  affectedKinds,
  commonOfRecording,
  lateOfRecording,
} from "./common/index.js";
export { blockedText } from "./blocked-phones.js";
export { renderJunit } from "./formats/junit.js";
export {
  findSubject,
  type Life,
  type LifeEntry,
  lifeJson,
  lifeOf,
  messageText,
  phoneReason,
  type LifeSubject,
  type OpenTry,
  renderLife,
  UnknownIdError,
} from "./life/index.js";
export {
  type LogCell,
  type ColumnRole,
  columnRoles,
  type ColumnsByRole,
  type GivenColumns,
  isReconciled,
  ReceivedTable,
  reconcile,
  type Reconciliation,
  reconciliationJunit,
  reconcileSent,
  renderReconciliation,
  type SentEvent,
  splitPostedBodies,
} from "./reconcile/index.js";
export {
  AnswerComparison,
  type AnswerDifference,
  answerLines,
  type AnswersResult,
  answersProblem,
  type IgnoredParts,
  readIgnoredParts,
} from "./answers/index.js";
export { labelled, newLayout } from "./layout.js";
export { documentOf, renderHtml } from "./html/page.js";
export { escaped, html, type Markup } from "./html/markup.js";
export { specialUnderWay } from "./special/under-way.js";
export { reportPath, writeReport } from "./html/write-report.js";
export type { CommonStart, RunResult } from "./result.js";
export { recordedOutages, resultOf } from "./result-of-recording.js";
export { fellBehindText, findingsSoFar, type MeasuredRun, measuresOf, measureRecording } from "./measures.js";
export { expectationLines, type NextCommand, renderSummary } from "./summary.js";
export { renderResult, type Verdict, verdictOf, type VerdictState } from "./verdict.js";
export { countOf, formatCount, readableDuration } from "./number-format.js";
export { plain, wrap } from "./terminal-text.js";
export { answeredTwice, isReplay, recipientsOf } from "./answered-twice.js";
export { TOLD_TWICE_MAX, toldTwice, toldTwiceText } from "./twice.js";
