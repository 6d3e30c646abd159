import type { HttpResult } from "./http-result.js";

/** One POST. */
export interface HttpRequest {
  readonly url: string;
  /** Form-encoded. */
  readonly body: string;
  /** Headers of this request alone; they go before the others. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Wall time for the whole exchange, redirects included, from the moment the request gets its connection. > 0. */
  readonly timeoutMs: number;
  /** It is held until this instant of the clock by which the poster was made (`originMs`). Absent or past: it goes at once. */
  readonly notBeforeMs?: number | undefined;
}

/** What sends requests to receivers: a `HttpClient` in this thread, or one in a thread of its own (`ThreadedHttpClient`). */
export interface HttpSender {
  /** Connections open at most. */
  readonly connections: number;
  /** When it was made, by its owner's clock: the wall times of its exchanges count from there. */
  readonly originMs: number;
  /** Requests that wait for a connection. */
  readonly waitingForConnection: number;
  /** Requests that are not due yet. */
  readonly notDue: number;
  /**
   * Posts when it is due, as soon as a connection is free. `done` is called once, never before `post` has returned.
   *
   * @throws RangeError for a header that cannot be sent
   */
  post(request: HttpRequest, done: (exchange: HttpResult) => void): void;
  /** Ends what is not due yet or waits for a connection, each with the error `withdrawn`: nothing of it was sent. */
  withdrawUnsent(): void;
  /** Ends what is under way or waits, and closes all connections. */
  close(): void;
}

/** One that has a thread of its own. */
export interface ThreadedHttpSender extends HttpSender {
  /** Told when the thread has ended although nobody asked it to: nothing that is under way there will ever be answered. */
  whenFailed(then: (error: Error) => void): void;
}
