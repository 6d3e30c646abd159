/**
 * JSON Schemas of the APIs' answers and fields. A schema carries the type of its values, so that a shape is declared
 * once for the documentation, the server and the console's page.
 */
export type { JsonSchema, Schema, ValueOf } from "./schema.js";
export * as schema from "./schema.js";
