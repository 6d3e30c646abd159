/** The REST API v2 of the emulated service, its documentation and its explorer. */
export { Access } from "./access.js";
export { type Desk, type RecordedCall } from "./call.js";
export { type Gate } from "./routes.js";
export { type ApiOptions, apiServer } from "./server.js";
export { Throttle } from "./throttle.js";
export { readBody } from "./body.js";
export { Call } from "./call.js";
export { ApiError, Fault, refusal } from "./error.js";
export {
  boolean,
  choice,
  clearable,
  integer,
  integerOf,
  optional,
  readFields,
  required,
  shown,
  text,
  textOf,
  type Fields,
  type Kind,
  type Values,
} from "./fields.js";
export { bodyOf } from "./openapi.js";
export type { JsonSchema } from "./schema.js";
export * as schema from "./schema.js";
