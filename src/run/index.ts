/** One command from its options to its result: run, replay, post, resume; `part/` plays a part of a fleet. */
export { deliveryTargets } from "./delivery-targets.js";
export { refuseConflicts } from "./option-conflicts.js";
export { readPart, type PartRecord } from "./part/part-result.js";
export { shardOf } from "./part/part-option.js";
export { postEvent, type PostOptions, type PostOutcome } from "./post.js";
export { recordingPath } from "./recording-path.js";
export { replayRecording, type ReplayOptions } from "./replay.js";
export { exitCodeOf, resultOfNoRun, resultOfRun, type DeliveryCounts } from "./result.js";
export { resumable } from "./resume.js";
export type { RunOptions, RunStart } from "./run-options.js";
export { runScenario, type RunOutcome } from "./run.js";
