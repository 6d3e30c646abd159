import type { UrnErrorForm } from "../wire/index.js";

/** The bodies of refusals: one of three shapes, never mixed (service-api.md 1.6). */
export type ErrorBody =
  | { readonly detail: string }
  /** By field, or under `non_field_errors`. */
  | Readonly<Record<string, FieldMessages>>;

/** What is wrong with a field: messages, or messages by the place of the value in its list (service-api.md 1.6). */
export type FieldMessages = readonly string[] | Readonly<Record<string, readonly string[]>>;

/** A request that is refused: what the client is told. Nothing has changed. */
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

/** A refusal that is about no field: `{"detail": …}`. */
export function detailError(status: number, detail: string, headers: Readonly<Record<string, string>> = {}): ApiError {
  return new ApiError(status, { detail }, headers);
}

/** A refusal of the body as a whole: every field by itself was right. */
export function wholeBodyError(message: string): ApiError {
  return new ApiError(400, { non_field_errors: [message] });
}

/** The refusal of one field, found when the values are held against each other. */
export function fieldError(field: string, messages: string | FieldMessages): ApiError {
  return new ApiError(400, { [field]: typeof messages === "string" ? [messages] : messages });
}

/** The message about one URN of a list, in the form that the service's preset names. `index` counts from 0. */
export function urnMessages(form: UrnErrorForm, { index, message }: { index: number; message: string }): FieldMessages {
  return form === "indexed" ? { [index]: [message] } : [message];
}

/** What is wrong with one value; the reader of the field knows its name. */
export class InvalidValue extends Error {
  readonly messages: FieldMessages;

  constructor(message: string, messages: FieldMessages = [message]) {
    super(message);
    this.messages = messages;
  }
}
