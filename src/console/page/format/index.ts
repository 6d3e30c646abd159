/** Numbers, spans and instants as the page writes them. Pure. */
export * from "./durations.js";
export * from "./instants.js";
export * from "./numbers.js";
export * from "./visible.js";
