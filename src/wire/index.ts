/** Shapes that cross a boundary, and their encodings. */
export * from "./event.js";
export * from "./sync.js";
export * from "./tally.js";
export * from "./reply.js";
export * from "./preset.js";
