/**
 * The console: the web page (`page/`) and its server side. `LiveStream` samples a lab through `LiveSource`, and sends a
 * snapshot and numbered deltas to the pages that have the token.
 */
export * from "./protocol/index.js";
export * as answers from "./protocol/answers/index.js";
export { foreignPageRefusal, type OwnNames } from "./foreign-pages.js";
export { CONSOLE_PATH, serveConsolePage } from "./page-files.js";
export type { LiveSource, FleetArrays, LabCounts, LatencyMeter } from "./live-source.js";
export { type LivePicture, PICTURES_MAX } from "./live-pictures.js";
export { ReportFiles } from "./report-files.js";
export { consoleStream } from "./stream-upgrade.js";
