/**
 * What came back over the wire, or why nothing did. Exactly one of `status` and `error` is null: an answer that broke
 * off has an error, and no status, whatever its first line said; its headers and the beginning of its body are kept.
 */
export interface HttpResult {
  /** Wall milliseconds since the sender was made: when the request was written; null when it never was. */
  readonly sentWallMs: number | null;
  /** The same for when the sender had the request in hand; null when it took none. It may wait for a connection then. */
  readonly postedWallMs: number | null;
  /** Request written to answer read, or to the failure; where nothing was written, from the beginning of the try. */
  readonly durationMs: number;
  readonly status: number | null;
  /** Stable code where there is no usable answer: ECONNREFUSED, ETIMEDOUT, HPE_…, `body-too-large`… (see `HttpClient`). */
  readonly error: string | null;
  /** `name: value` lines, at most 8 KiB. */
  readonly headers: string | null;
  /** The beginning of the body, at most 64 KiB; decoded from gzip, deflate or br; null when nothing came. */
  readonly body: Uint8Array | null;
  /** Length of the whole body as it came. */
  readonly bodyBytes: number;
  /** Other addresses that were asked because of redirects, in order. */
  readonly redirects: readonly string[];
}

/** No redirect was followed: shared, so that a result needs no array of its own. */
export const NO_REDIRECTS: readonly string[] = Object.freeze([]);

/** The exchange of a request that never got a connection. */
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
