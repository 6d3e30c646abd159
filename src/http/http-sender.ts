import type { HttpResult } from "./http-result.js";

/** Where a connection is closed on purpose: within the headers or the body of the request, or at the answer's first byte. */
export type CutAt = "headers" | "body" | "answer";

/** One request. */
export interface HttpRequest {
  readonly url: string;
  /** Default: POST. Any but CONNECT. */
  readonly method?: string | undefined;
  /** GET and HEAD do not send it. Form-encoded, unless the headers name another content type. */
  readonly body: string;
  /** Headers of this request only; they replace the sender's of the same name. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Wall time for the whole exchange, redirects included, from the moment the request gets its connection. > 0. */
  readonly timeoutMs: number;
  /** Redirects that are followed; one more is an error. 0: none is followed. Default: the sender's. */
  readonly maxRedirects?: number | undefined;
  /** Not sent before this instant of the calling thread's clock. Absent or past: sent at once. */
  readonly notBeforeMs?: number | undefined;
  /** Closes the connection on purpose; the result has the error `CUT`. A request without a body is cut in its headers. */
  readonly cut?: CutAt | undefined;
  /**
   * Writes the request slowly: bytes in a second, at least 1. The timeout then counts from its last byte, as the
   * server's time does.
   */
  readonly bytesPerS?: number | undefined;
}

/** Sends requests: an `HttpClient` in this thread, or a `ThreadedHttpClient` in another. */
export interface HttpSender {
  /** Maximum of open connections. */
  readonly connections: number;
  /** Instant of the calling thread's clock from which the wall times of results count. */
  readonly originMs: number;
  /** Due requests that wait for a connection. */
  readonly waitingForConnection: number;
  /** Requests that are not due yet. */
  readonly notDue: number;
  /**
   * Sends the request when it is due and a connection is free. `done` is called once, never before `post` has returned.
   *
   * @throws RangeError for a header or method that cannot be sent
   */
  post(request: HttpRequest, done: (result: HttpResult) => void): void;
  /** Ends requests that are not due or wait for a connection with the error `withdrawn`: no byte of them was sent. */
  withdrawUnsent(): void;
  /** Ends all requests and closes all connections. */
  close(): void;
}

/** A sender in a separate thread. */
export interface ThreadedHttpSender extends HttpSender {
  /** Calls `then` when the thread ends unexpectedly: requests in flight get no result. */
  whenFailed(then: (error: Error) => void): void;
}
