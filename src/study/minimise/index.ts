/** A failing input becomes the smallest one that fails in the same way. */
export { requireNewBugFile, writeBugs } from "./bug/write-bugs.js";
export { minimisedJson } from "./json.js";
export { threadMinimiser } from "./thread/minimise-in-thread.js";
export { minimiseScenario } from "./scenario/minimise-scenario.js";
export { minimiseRequests } from "./minimise.js";
export type { Minimised, MinimiseOptions, MinimiseStep } from "./options.js";
export { renderMinimised } from "./render.js";
