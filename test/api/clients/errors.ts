/** The errors of the official Python client (docs/reference/service-api.md#python-client-errors). */
export class ApiError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** 400. `errors` is the parsed body; a body that was not JSON is wrapped. */
export class BadRequestError extends ApiError {
  readonly errors: unknown;

  constructor(body: string) {
    const errors = parseOr(body, { details: [body] });
    super(messagesIn(errors).join(". "));
    this.errors = errors;
  }
}

/** 403, whatever the body says. */
export class TokenError extends ApiError {
  constructor() {
    super("Authentication with provided token failed");
  }
}

/** 404, whatever the body says. */
export class NoSuchObjectError extends ApiError {
  constructor() {
    super("No such object exists");
  }
}

/** 429. */
export class RateExceededError extends ApiError {
  /** Whole seconds of the `Retry-After` header; 0 when it is missing. */
  readonly retryAfter: number;

  constructor(retryAfter: number) {
    super(`Rate exceeded, retry after ${retryAfter} seconds`);
    this.retryAfter = retryAfter;
  }
}

/** Any other status of 400 and above. */
export class HttpError extends ApiError {
  readonly status: number;
  readonly body: string;

  constructor(status: number, body: string) {
    super(`HTTP ${status}: ${body.slice(0, 200)}`);
    this.status = status;
    this.body = body;
  }
}

/** No server answered. */
export class ConnectionError extends ApiError {
  constructor(cause: unknown) {
    super("Unable to connect to host", { cause });
  }
}

/** An answer that cannot be read as the expected record. */
export class SerializationError extends ApiError {}

function parseOr(text: string, otherwise: unknown): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return otherwise;
  }
}

function messagesIn(errors: unknown): string[] {
  if (Array.isArray(errors)) return errors.map(String);
  if (typeof errors !== "object" || errors === null) return [String(errors)];
  return Object.values(errors).flatMap((messages: unknown) => {
    if (Array.isArray(messages)) return messages.map(String);
    // An object here iterates as its keys in Python: the client then prints indexes instead of messages.
    return typeof messages === "object" && messages !== null ? Object.keys(messages) : [String(messages)];
  });
}
