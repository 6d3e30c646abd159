/** Shapes that the console's server side and its page share. Pure: the page bundles it. */
export * from "./fleet.js";
export * from "./past.js";
export * from "./stream.js";
export * from "./phones.js";
