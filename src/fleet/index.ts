/**
 * Several parts of one fleet. `runInProcesses` forks a process for each part; each writes a recording;
 * `mergeRecordings` joins the recordings into one and evaluates the scenario's expectations for the whole fleet.
 */
export { finishJoined, type PlayedPart } from "./joined-result.js";
export { mergeRecordings, type MergeOutcome } from "./merge.js";
export { runInProcesses } from "./processes.js";
