export type { Axis } from "./axis.js";
export type { Exchanged, Figures, Part, Series, Spread } from "./figures.js";
export { gather, gatherFigures } from "./gather.js";
