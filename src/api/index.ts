/** The REST API v2 of the emulated service, its documentation and its explorer. */
export { Authenticator } from "./authenticator.js";
export { type ApiContext, ApiRequest } from "./api-request.js";
export { type ApiOptions, apiServer, type RequestCheck } from "./server.js";
export { Throttle } from "./throttle.js";
export { readBody } from "./body.js";
export { ApiError, detailError, InvalidValue } from "./error.js";
export {
  booleanType,
  choiceType,
  clearable,
  integerType,
  optional,
  parseFields,
  parseInteger,
  parseText,
  required,
  shorten,
  textType,
  type BodyFields,
  type BodyValues,
  type ValueType,
} from "./body-fields.js";
export { bodySchema } from "./openapi.js";
