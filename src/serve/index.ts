/** A lab behind the REST API and the control API, served or beside a run: its database, snapshots and metrics. */
export { readAccount } from "./account/account-rules.js";
export { accountsOf, dataFilesOf, type AccountSource } from "./account/account-source.js";
export { loadSources } from "./account/load-source.js";
export { isDatabase, isRecording } from "./database.js";
export { offerMetrics, type MetricsAddress } from "./metrics-server.js";
export { type ApiAddress, OfferedApi } from "./offered-api.js";
export { emptyScenarioText, readyAccountFile, readyScenarioFile } from "./ready.js";
export { askLab, findLab, type RemoteLab, type RemoteRequest } from "./remote-lab.js";
export type { RunningLab } from "./running-labs.js";
export { recordSession, type SessionFacts } from "./past/session-facts.js";
export { serve, type Served } from "./serve.js";
export type { ServeOptions } from "./session.js";
