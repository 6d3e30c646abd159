/** The control API: its routes, its answers, and the views of a lab from which they are made. */
export { readAccount } from "./account/account-rules.js";
export {
  type AccountSource,
  MAX_PEOPLE_PER_REQUEST,
  accountsOf,
  dataFilesOf,
  sourceOfInput,
} from "./account/account-source.js";
export { FIRST_HOUR_MS, fileFirstMessages, logMissedCall, playFirstHour } from "./account/first-hour.js";
export { type Loaded, type PreparedLoad, checkSources, loadSources, prepareRecorded } from "./account/load-source.js";
export { asServed, emptyScenarioText, readyAccountFile, readyScenarioFile } from "./account/ready.js";
export { apiContextOf } from "./api-context.js";
export { ServedConsoleLab } from "./console/console-lab.js";
export { Followers } from "./followers.js";
export { LabControl } from "./lab-control.js";
export type { PastGet } from "./past-port.js";
export { ControlRefusal } from "./port.js";
export { answerMoments } from "./routes/past.js";
export { type ControlGate, serveControl } from "./server.js";
export { START, Snapshots } from "./snapshots.js";
export { PlayedStory } from "./story/played-story.js";
export { ScenarioFiles } from "./story/scenario-files.js";
export { streamUpgrade } from "./stream.js";
export type { ServedLab } from "./served-lab.js";
