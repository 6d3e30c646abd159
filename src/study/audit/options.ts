import type { Spelling } from "../../wire/index.js";
import type { AuditApi } from "./open-effects.js";
import type { AuditTrial } from "./trial.js";

/** Options of an audit. */
export interface AuditOptions {
  /**
   * How effects of an event are seen: `replies` (a reply is one), `GET URL` (a page of JSON with what was kept), `api`
   * (what the receiver changes through the REST API). Default: not at all, so trials that need them are untested.
   */
  readonly effects?: string;
  /** With `effects: "api"`: where the emulated service is. */
  readonly api?: AuditApi;
  /** Starts the receiver, and ends it with the audit; it must listen at the URL. Default: it runs already. */
  readonly command?: readonly string[];
  /** Default: the first of both, table, historic, sample whose ordinary text is accepted. */
  readonly spelling?: Spelling;
  /** Words on which the receiver acts, such as `JOIN`; its own replies may name further ones. */
  readonly texts?: readonly string[];
  /** Ids of the trials to play; default: all. */
  readonly only?: readonly string[];
  /** `POST URL`, or a command: resets the receiver before the audit. */
  readonly reset?: string;
  /** Maximum of requests; default 500. Bursts of trials of load are counted apart; each may have as many. */
  readonly budget?: number;
  /** Wall milliseconds; default 60,000. */
  readonly timeLimitMs?: number;
  /** Of one exchange; default 5000, the service's. Wall milliseconds. */
  readonly timeoutMs?: number;
  readonly allowHosts?: readonly string[];
  /** Milliseconds since 1970 of the ordinary events; default: now. */
  readonly nowMs?: number;
  /** Chooses phones and ids, 0 to 1; default random, as a receiver may remember an earlier audit. */
  readonly seed?: number;
  readonly signal?: AbortSignal | undefined;
  /** Ends after the first finding: the other trials are untested. */
  readonly stopsAtFirst?: boolean;
  /** Called after each trial. */
  readonly onTrial?: (trial: AuditTrial, done: number, of: number) => void;
  /** Whether this machine is watched, so that slowness is not blamed on the receiver; default true. */
  readonly watchesHost?: boolean;
}
