/**
 * Shared declarations of the console's server side and its page. The page bundles the constants, but only the types of
 * answers.
 */
export * from "./clock-step.js";
export * from "./constants.js";
export * from "./fleet.js";
export type * from "./answers/index.js";
export type * from "./paths.js";
export type { RecordOf, RecordPage, Reference } from "../../schema/index.js";
