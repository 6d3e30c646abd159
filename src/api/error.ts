import type { UrnErrorForm } from "../wire/index.js";

/**
 * Body of an error response: `detail`, or messages by field; never both (docs/reference/service-api.md#error-bodies).
 */
export type ErrorBody =
  | { readonly detail: string }
  /** By field, or under `non_field_errors`. */
  | Readonly<Record<string, FieldMessages>>;

/**
 * Error messages of a field: a list, or lists by the index of the item in the posted list
 * (docs/reference/service-api.md#error-bodies).
 */
export type FieldMessages = readonly string[] | Readonly<Record<string, readonly string[]>>;

/** An error response. The request has changed nothing. */
export class ApiError extends Error {
  readonly status: number;
  readonly body: ErrorBody;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, body: ErrorBody, headers: Readonly<Record<string, string>> = {}) {
    super(JSON.stringify(body));
    this.name = "ApiError";
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

/** An error without a field: `{"detail": …}`. */
export function detailError(status: number, detail: string, headers: Readonly<Record<string, string>> = {}): ApiError {
  return new ApiError(status, { detail }, headers);
}

/** An error of the body as a whole: each field is valid by itself. */
export function wholeBodyError(message: string): ApiError {
  return new ApiError(400, { non_field_errors: [message] });
}

/** An error of one field that shows only in comparison with other values or with the account. */
export function fieldError(field: string, messages: string | FieldMessages): ApiError {
  return new ApiError(400, { [field]: typeof messages === "string" ? [messages] : messages });
}

/** The message about one URN of a list, in the form that the service's preset names. `index` counts from 0. */
export function urnMessages(form: UrnErrorForm, { index, message }: { index: number; message: string }): FieldMessages {
  return form === "indexed" ? { [index]: [message] } : [message];
}

/** An invalid value; `parseFields` adds the name of its field. */
export class InvalidValue extends Error {
  readonly messages: FieldMessages;

  constructor(message: string, messages: FieldMessages = [message]) {
    super(message);
    this.messages = messages;
  }
}
