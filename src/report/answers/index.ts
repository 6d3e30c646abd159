/**
 * Answers of a receiver held against others to the same events: those of a recording, or those of another build. Per
 * event `AnswerComparison` compares status, recipients and text of the reply, and the class of the time to the answer.
 */
export { AnswerComparison } from "./answer-comparison.js";
export type { AnswerDifference, AnswersResult } from "./answers-result.js";
export { type IgnoredParts, readIgnoredParts } from "./ignored-parts.js";
export { answerLines, answersProblem } from "./render-answers.js";
