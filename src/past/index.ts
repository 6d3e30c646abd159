/** Re-executes a recording in a thread up to any instant, and answers requests as the lab did then. */
export { Past, type PastSource, finishedSource, growingSource } from "./past.js";
export type { EventDifference } from "./event-difference.js";
export { resimulate, type Resimulation } from "./resimulate.js";
export { answerMoments, pastRoutes } from "./moments.js";
export { type SessionFacts, recordSession } from "./session-facts.js";
