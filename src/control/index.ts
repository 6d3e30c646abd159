/** The control API: routes, and views of a lab from which the answers are built. */
export type { AccountSnapshots } from "./account-snapshots.js";
export { readAccount } from "./account/account-rules.js";
export { type AccountSource, accountsOf, dataFilesOf, sourceOfInput } from "./account/account-source.js";
export { FIRST_HOUR_MS, fileFirstMessages, logMissedCall, playFirstHour } from "./account/first-hour.js";
export { type PreparedLoad, checkSources, loadSources, prepareRecorded } from "./account/load-source.js";
export { handsetDetails } from "./phones/handset-details.js";
export { asServed, emptyScenarioText, readyAccountFile, readyScenarioFile } from "./account/ready.js";
export { LabReadings } from "./console/lab-readings.js";
export { type LiveParts, LiveView } from "./console/live-view.js";
export { Followers } from "./followers.js";
export { Control } from "./control.js";
export type { ControlParts } from "./control-parts.js";
export { ControlRefusal, refusal } from "./refusal.js";
export { type ControlRoute, readRoute, writeRoute } from "./routes/route.js";
export { controlServer } from "./server.js";
export { START, Snapshots } from "./snapshots.js";
export { admits, streamUpgrade } from "./stream.js";
export { type ServedLab, servedLabOf } from "./served-lab.js";
