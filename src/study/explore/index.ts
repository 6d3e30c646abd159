/** Varies a scenario, guided by what the receiver shows, until it fails. */
export { exploreScenario } from "./explore.js";
export { exploredJson } from "./json.js";
export type { Explored, ExploreOptions, ExploreProgress } from "./options.js";
export { renderExplored } from "./render.js";
