/** Virtual phones, the people who text and call them, and the carriers between. `WorldPorts` are its outputs. */
export * from "./cast/selector.js";
export * from "./network.js";
export * from "./cast/cast.js";
export * from "./input.js";
export type { PlannedText } from "./people.js";
export * from "./ports.js";
export * from "./profiles/faults.js";
export * from "./profiles/profile.js";
export * from "./profiles/index.js";
export * from "./world.js";
export { type InTransit } from "./in-transit.js";
export { type Part, Parts } from "./cast/parts.js";
export { type Selection } from "./cast/roster.js";
export type { TrafficStatus } from "./traffic/traffic.js";
export { segmentsOf } from "./handset/segments.js";
