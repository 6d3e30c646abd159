import type { StatusSet } from "../../wire/index.js";
import type { CheckSpec, Pattern } from "../scenario.js";

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

/** What is right about the answer to one request. */
export interface ExactExpectation {
  /** Counted from 1. */
  readonly request: number;
  readonly status?: StatusSet;
  /** An answer comes within this wall time. */
  readonly answersWithinMs?: number;
  /** Whether the answer asks for a message. */
  readonly replies?: boolean;
  /** The reply's text matches. */
  readonly reply?: Pattern;
  /** The reply's text does not match. */
  readonly notReply?: Pattern;
  /** As it is written. */
  readonly text: string;
}

/** The receiver's own log, which must have each accepted event, and once. */
export interface ExactLog {
  readonly file: string;
  readonly query?: string;
  /** Columns by role: `number=sms,phone=msisdn`. */
  readonly columns?: string;
  readonly types?: readonly string[];
  /** As it is written. */
  readonly text: string;
}

/** What went wrong when the file was written, for its readers; it is not judged. */
export interface SeenFailure {
  /** The condition of the failure, as `--while` spells it. */
  readonly condition?: string;
  /** The request on which it was seen, counted from 1. */
  readonly request?: number;
  readonly status?: string;
  readonly answer?: string;
  readonly error?: string;
  /** When it was seen. */
  readonly at?: string;
  /** `11 of 11` */
  readonly runs?: string;
}

/** A file of exact requests, with the answers that are right. */
export interface ExactInput {
  readonly name: string;
  readonly about: string | undefined;
  /** A URL, or `bundled`; absent: the file names none. */
  readonly receiver: string | undefined;
  readonly requests: readonly ExactRequest[];
  /** Wall time that the receiver has for an answer. */
  readonly timeoutMs: number;
  readonly expect: readonly ExactExpectation[];
  /** No person is answered twice about one event. */
  readonly neverTwice: boolean;
  readonly logs: readonly ExactLog[];
  readonly checks: readonly CheckSpec[];
  readonly seen: SeenFailure | undefined;
  readonly versions: Readonly<Record<string, string>>;
  readonly source: { readonly file: string; readonly text: string };
}
