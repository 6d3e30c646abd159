/** What a run is judged by: the expectations of its story, thresholds on metrics, moving windows. Pure. */
export { abortingWhereItCan, isAboutLateness, refuseLateness, refuseWallTime } from "./bounds.js";
export { Expectations, addSightings, judgeStory, type Sighting } from "./story-expectations.js";
export { Thresholds } from "./thresholds.js";
