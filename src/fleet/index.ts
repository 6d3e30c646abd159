/** Several parts of one fleet: their processes, and the merge of their recordings and results. */
export { finishJoined, type PlayedPart } from "./joined-result.js";
export { mergeRecordings, type MergeOutcome } from "./merge.js";
export { runInProcesses } from "./processes.js";
