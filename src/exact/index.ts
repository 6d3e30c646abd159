/**
 * Exact requests: plays them at a receiver, judges the answers, and says what is right where a condition says what is
 * wrong. `playRequests` sends, `playExactAt` also judges a bug file.
 */
export { errorText, type ExactAnswer } from "./exact-answer.js";
export { exactJson, renderExact, verdictText } from "./exact-text.js";
export { answerText } from "./judge-exact.js";
export { type AnsweredRequest, LogJudge } from "./log-judge.js";
export { type ExactOutcome, playExactAt, playsFor } from "./play-at.js";
export { type PlayedAnswer, playRequests } from "./play-requests.js";
export { relationsOf } from "./relations.js";
export { isUnsent } from "./unsent.js";
export { seenFailure, shownAnswer } from "./seen-failure.js";
export { rightBehaviour } from "./right-behaviour.js";
