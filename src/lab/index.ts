/** The lab: joins the rooms into runs, and is the public face of the library. */
export { runScenario, type RunOptions, type RunOutcome, type RunStart } from "./run.js";
export { resultOfNoRun } from "./result.js";
export { type Progress } from "./lab.js";
export { postEvent, type PostOptions, type PostOutcome } from "./post.js";
export { LabError, type LabErrorCode } from "./errors.js";
export { version } from "./version.js";

export {
  checkFakes,
  type Diagnostic,
  formatDiagnostics,
  newScenarioText,
  parseDuration,
  parseScenario,
  type Scenario,
  scenario,
  ScenarioError,
  scenarioJsonSchema,
} from "../scenario/index.js";
export {
  openRecording,
  type RecordedAttempt,
  type RecordedEvent,
  RecordingReader,
  StoreError,
} from "../store/index.js";
export { type NextCommand, renderSummary, resultOf, type RunResult } from "../report/index.js";
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
  type ServiceEvent,
  type Spelling,
  spellings,
} from "../wire/index.js";
