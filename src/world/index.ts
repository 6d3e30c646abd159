/** Virtual phones, the people who text and call them, and the carriers between; knows the service only through its ports. */
export * from "./selector.js";
export * from "./network.js";
export * from "./cast.js";
export * from "./input.js";
export * from "./ports.js";
export * from "./faults.js";
export * from "./profile.js";
export * from "./profiles/index.js";
export * from "./world.js";
export { type Afloat } from "./afloat.js";
export { type Part, Parts } from "./parts.js";
export { placesOf, type Selection } from "./roster.js";
export type { TrafficStatus } from "./traffic.js";
export { segmentsOf, type Segments } from "./segments.js";
export type { Survey } from "./survey.js";
