/** Formats numbers, spans and instants for the page. Pure. */
export * from "./durations.js";
export * from "./instants.js";
export * from "./numbers.js";
export * from "./visible.js";
