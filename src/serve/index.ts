/** A lab behind the REST API and the control API, served or beside a run: its database, its addresses and its metrics. */
export { isDatabase, isRecording } from "./database.js";
export { type MetricsAddress, offerMetrics } from "./metrics-server.js";
export { type ApiAddress, OfferedApi } from "./offered-api.js";
export { type RemoteLab, type RemoteRequest, askLab, findLab } from "./remote-lab.js";
export type { RunningLab } from "./running-labs.js";
export { type Served, serve } from "./serve.js";
export type { ServeOptions } from "./session.js";
