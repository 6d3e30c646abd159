/**
 * Judges a run: `Expectations` counts what the story's `expect` steps wait for, `Thresholds` compares metrics with the
 * scenario's bounds, over the whole run or moving windows. Both return `ExpectationResult`s. Pure: no clock, no I/O.
 */
export { abortIfPossible, isAboutLateness, refuseLateness, refuseWallTime } from "./bounds.js";
export { Expectations, sumObservations, judgeStory, type Observation } from "./story-expectations.js";
export { Thresholds } from "./thresholds.js";
