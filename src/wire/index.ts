/** Shapes that cross a boundary, and their encodings. */
export * from "./account.js";
export * from "./event.js";
export * from "./sync.js";
export * from "./tally.js";
export * from "./reply.js";
export * from "./reply-reader.js";
export * from "./preset.js";
export * from "./preset-fields.js";
export * from "./status-set.js";
export * from "./timestamp.js";
export * from "./phone.js";
export * from "./urn.js";
export * from "./form.js";
export { eventFields, namesIn } from "./fields.js";
export * from "./encode.js";
export * from "./decode.js";
export * from "./filter-time.js";
