/** What plays many labs, or puts together what they have played. */
export { mergeRecordings, type MergeOptions, type MergeOutcome } from "./merge.js";
export { runInProcesses, type ProcessesOptions } from "./processes.js";
