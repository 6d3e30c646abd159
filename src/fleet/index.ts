/**
 * Several parts of one fleet. `runInProcesses` forks a process for each part; each writes a recording;
 * `mergeRecordings` joins the recordings into one and evaluates the scenario's expectations for the whole fleet. `FleetFolder` reads the
 * parts that meet in a shared folder while they play.
 */
export { awaitParts, PARTS_WAIT_MS } from "./await-parts.js";
export { FleetFolder, type FleetView, isLive, type JointLoad, latencyOf, type PartView } from "./fleet-view.js";
export { finishJoined, type PlayedPart } from "./joined-result.js";
export { mergeRecordings, type MergeOutcome } from "./merge.js";
export { agoText, partsMissing, silenceText, whyNotEnded } from "./missing-parts.js";
export { runInProcesses } from "./processes.js";
