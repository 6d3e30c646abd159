/**
 * Result of one HTTP exchange. Exactly one of `status` and `error` is null: an incomplete answer has an error and no
 * status, even if its status line was read. Its headers and the start of its body are kept.
 */
export interface HttpResult {
  /** Wall milliseconds from the sender's `originMs` to when the request was written; null when it was not. */
  readonly sentWallMs: number | null;
  /**
   * Wall milliseconds from `originMs` to when the client accepted the due request; it may wait for a connection after
   * that. Null: it never got a connection.
   */
  readonly postedWallMs: number | null;
  /**
   * From request written to answer read, or to the failure; from the start of the exchange when nothing was written.
   */
  readonly durationMs: number;
  readonly status: number | null;
  /**
   * Stable code when there is no complete answer: ECONNREFUSED, ETIMEDOUT, HPE_…, `body-too-large`… (see
   * `HttpClient`).
   */
  readonly error: string | null;
  /** `name: value` lines, at most 8 KiB. */
  readonly headers: string | null;
  /** Start of the body, at most 64 KiB, decoded from gzip, deflate or br; null when no byte of it came. */
  readonly body: Uint8Array | null;
  /** Length of the whole body before decoding. */
  readonly bodyBytes: number;
  /** URLs of followed redirects, in order. */
  readonly redirects: readonly string[];
  /** URL of the redirect that was not followed; only with the error `redirect-not-allowed`. */
  readonly refusedUrl?: string;
}

/** Shared empty list, so that a result without redirects allocates none. */
export const NO_REDIRECTS: readonly string[] = Object.freeze([]);

/** Result of a request that never got a connection. */
export function unsentResult(error: string): HttpResult {
  return {
    postedWallMs: null,
    sentWallMs: null,
    durationMs: 0,
    status: null,
    error,
    headers: null,
    body: null,
    bodyBytes: 0,
    redirects: NO_REDIRECTS,
  };
}
