/** Several parts of one fleet: their processes, and the merge of their recordings and results. */
export { finishJoined, type PlayedPart } from "./joined-result.js";
export { mergeRecordings, type MergeOptions, type MergeOutcome } from "./merge.js";
export { runInProcesses, type ProcessesOptions } from "./processes.js";
