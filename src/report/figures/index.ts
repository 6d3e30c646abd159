export type { Axis } from "./axis.js";
export type { AttemptDetail, BreakdownRow, Figures, Series } from "./figures.js";
export { gatherFiguresAndHistograms, gatherFigures } from "./gather.js";
