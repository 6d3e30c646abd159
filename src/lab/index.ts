/** The lab: joins the rooms into runs, and is the public face of the library. */
export type { Happening } from "../api/index.js";
export { joinedReading } from "./gauge.js";
export { deliveryTargets } from "./delivery-targets.js";
export { runScenario, type RunOutcome } from "./run.js";
export type { RunOptions, RunStart } from "./run-options.js";
export { replayRecording, type ReplayOptions } from "./replay.js";
export { explain } from "./why.js";
export { reconcileLog, type ReconcileOptions } from "./reconcile.js";
export { EventFilter, type EventFilterOptions, eventOutcomes, filteredEvents } from "./event-filter.js";
export { resultOfNoRun } from "./result.js";
export { resumable } from "./resume.js";
export { type Shard, shardOf } from "./shard.js";
export { readPart } from "./part-result.js";
export { recordingPath } from "./recording-path.js";
export { finishJoined, type PlayedPart } from "./joined-result.js";
export { readAccount } from "./account-rules.js";
export { FileRefusal, filesBeside, readNamedFile } from "./named-file.js";
export { type AccountSource } from "./account-source.js";
export { type Progress } from "./tallies.js";
export type { ClockStatus } from "./clock.js";
export { type RunHands } from "./hands.js";
export { type MetricsAddress } from "./metrics-server.js";
export type { ApiAddress } from "./offered-api.js";
export { emptyScenarioText, readyAccountFile, readyScenarioFile } from "./ready.js";
export { isDatabase, isRecording } from "./database.js";
export { serve } from "./serve-when-asked.js";
export type { Served, ServeOptions } from "./serve.js";
export { postEvent, type PostOptions, type PostOutcome } from "./post.js";
export { askLab, findLab, type RemoteLab, type RemoteRequest } from "./remote.js";
export { type RunningLab } from "./running.js";
export { LabError, type LabErrorCode } from "./errors.js";
export { version } from "./version.js";

export {
  type AccountFile,
  accountJsonSchema,
  checkFakes,
  type Diagnostic,
  formatDiagnostics,
  type HandArgument,
  type HandEntry,
  handReference,
  kindOfFile,
  newScenarioText,
  parseDuration,
  parseHandValue,
  parseScenario,
  peopleSpec,
  type Scenario,
  scenario,
  ScenarioError,
  scenarioJsonSchema,
} from "../scenario/index.js";
export {
  findFault,
  openRecording,
  type RecordedAttempt,
  type RecordedEvent,
  RecordingReader,
  StoreError,
} from "../store/index.js";
export {
  type Comparison,
  compareRecordings,
  type FailIf,
  csvPieces,
  type Figures,
  type FormatOptions,
  gatherFigures,
  HAR_LIMIT,
  harPieces,
  isReconciled,
  type Reconciliation,
  reconciliationJunit,
  renderReconciliation,
  type Life,
  lifeJson,
  type NextCommand,
  readFailIf,
  renderComparison,
  renderComparisonHtml,
  renderHtml,
  renderJson,
  renderJunit,
  renderLife,
  renderResult,
  renderSummary,
  type ReportFormat,
  reportFormats,
  reportPath,
  resultOf,
  type RunResult,
  type Verdict,
  verdictOf,
  type VerdictState,
  writeReport,
} from "../report/index.js";
export {
  answerModes,
  parseAnswers,
  parseScript,
  type ReceivedEvent,
  type Receiver,
  type ReceiverOptions,
  startReceiver,
} from "../receiver/index.js";
export {
  type DecodedEvent,
  decodeEvent,
  encodeEvent,
  encodeForm,
  eventTypes,
  parseForm,
  roles,
  type ServiceEvent,
  type TokenData,
  type Spelling,
  presetNames,
  spellings,
} from "../wire/index.js";
