export { type Axis, bucketOf } from "./axis.js";
export type { Exchanged, FailureKind, Figures, HeatMap, Mark, Part, Series, Spread } from "./figures.js";
export { gatherFigures } from "./gather.js";
export { STORY_KEY } from "./marks.js";
