/**
 * JSON Schemas of the APIs' answers and fields. A schema carries the type of its values, so that a shape is declared
 * once for the documentation, the server and the console's page.
 */
export { laterFieldTypes, type ListedResource, pageOf, type RecordOf, type RecordPage, records } from "./records.js";
export type { JsonSchema, Reference, Schema, ValueOf } from "./schema.js";
export * as schema from "./schema.js";
