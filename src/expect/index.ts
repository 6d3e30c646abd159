/**
 * Judges a run: `Expectations` counts what the story's `expect` steps wait for and reads the account for them,
 * `judgeCheck` holds the answer to a check against what it must be, and
 * `Thresholds` compares metrics with the scenario's bounds, over the whole run or moving windows. Both return `ExpectationResult`s. Pure: no clock, no I/O.
 */
export type { AccountStateReader, MembershipReading, ResultReading } from "./account-reader.js";
export { abortIfPossible, isAboutLateness, refuseLateness, refuseWallTime } from "./bounds.js";
export { compare } from "./compare.js";
export { type CheckAnswer, judgeCheck } from "./checks/judge-check.js";
export { type AskedCheck, sumChecks } from "./checks/sum-checks.js";
export { Expectations, hasFields, sumObservations, judgeStory, type Observation } from "./story-expectations.js";
export { type FailureCondition, type FailureTerm, isAboutAnswer } from "./failure/failure-condition.js";
export { type Failure, FailureWatch, isAway, namesOfEvent, type WatchedAnswer } from "./failure/failure-watch.js";
export { normalisedAnswer } from "./failure/fingerprint.js";
export { readFailureCondition } from "./failure/read-condition.js";
export type { Judgement } from "./judgement.js";
export { patternMatcher } from "./pattern-matcher.js";
export { Thresholds } from "./thresholds.js";
