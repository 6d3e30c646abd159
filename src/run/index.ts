/**
 * One command from its options to its result. `runScenario`: options → plan → receiver, recording and sender → `Lab` →
 * result. `replayRecording` sends recorded events through the lab's pipeline without a world; `postEvent` sends one
 * event.
 */
export { COMMAND_RECEIVER, deliveryTargets, receiverOf } from "./delivery-targets.js";
export { refuseConflicts } from "./option-conflicts.js";
export { type FieldImport, importFieldLog, type ImportOptions } from "./import-field-log.js";
export { markerBeside } from "./barrier/begun-marker.js";
export { joinedLatency, partsText, type PartLoad, type PartStatus, readStatus } from "./barrier/part-status.js";
export type { RunIdentity } from "./barrier/run-identity.js";
export { SharedFolder } from "./barrier/shared-folder.js";
export { RUN_FILE } from "./barrier/start-barrier.js";
export { readPart, type PartRecord } from "./part/part-result.js";
export { shardOf } from "./part/part-option.js";
export { postEvent, type PostOptions, type PostOutcome } from "./post.js";
export { recordingPath } from "./recording-path.js";
export { replayRecording, type ReplayOptions } from "./replay.js";
export { exitCodeOf, resultOfNoRun, resultOfRun, type DeliveryCounts } from "./result.js";
export { resumable } from "./resume.js";
export type { RunOptions, RunStart } from "./run-options.js";
export { runScenario } from "./run.js";
export { freePort } from "./free-port.js";
export { startReceiverCommand } from "./start-receiver.js";
export { type RunningCommand, startCommand } from "./command.js";
export type { RunOutcome } from "./run-outcome.js";
export { playExact } from "./play-exact.js";
