/** Shapes that the console's server side and its page share. The page bundles the values, and has the answers' types. */
export * from "./constants.js";
export * from "./fleet.js";
export type * from "./answers/index.js";
export type * from "./paths.js";
