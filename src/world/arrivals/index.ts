export type { Arrivals, EntryParts } from "./arrivals.js";
export { Burst } from "./burst.js";
export { Even } from "./even.js";
export { Poisson } from "./poisson.js";
export { Timed } from "./timed.js";
