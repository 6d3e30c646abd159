/** A failing input becomes the smallest one that fails in the same way. */
export { requireNewBugFile, writeBugs } from "./bug/write-bugs.js";
export { minimisedJson } from "./json.js";
export { minimiseInThread } from "./thread/minimise-in-thread.js";
export { minimiseScenario } from "./scenario/minimise-scenario.js";
export { minimiseRequests } from "./minimise.js";
export type { InputCounts, Minimised, MinimiseOptions, MinimiseStep, OtherFailure } from "./options.js";
export { renderMinimised } from "./render.js";
export {
  type Kept,
  type SearchOptions,
  type SearchResult,
  type SearchSpace,
  searchSmallest,
  type TrialOutcome,
} from "./search.js";
export { type Rate, rateOf, repeatsFor } from "./wilson.js";
