/** A recording at any moment: a thread plays it again up to there, and answers as the lab did. */
export { Past, type PastSource, finishedSource, growingSource } from "./past.js";
export { answerMoments, pastRoutes } from "./moments.js";
export { type SessionFacts, recordSession } from "./session-facts.js";
