/** One request of an exact input: what a receiver gets, byte for byte. */
export interface ExactRequest {
  /** Milliseconds since the first request. */
  readonly atMs: number;
  /** `mo_sms`, `mo_miss`…; empty: the body names none. */
  readonly type: string;
  readonly body: string;
  /** Path with query string, as it was recorded; default: that of the receiver's URL. */
  readonly path?: string;
  /** Default: `application/x-www-form-urlencoded`. */
  readonly contentType?: string;
  /** Sent at the same moment as the request before, on another connection. */
  readonly with?: "previous";
}
