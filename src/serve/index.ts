/** Serves a lab through the REST API and the control API, alone or during a run: database, addresses, metrics. */
export { isDatabase, isRecording } from "./database.js";
export { type MetricsAddress, offerMetrics } from "./metrics-server.js";
export { type ApiAddress, RunApi } from "./run-api.js";
export { type LabAddress, type RemoteRequest, askLab, findLab } from "./ask-lab.js";
export type { LabAnnouncement } from "./announcements.js";
export { type Served, serve } from "./serve.js";
export type { ServeOptions } from "./session.js";
