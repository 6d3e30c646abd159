/**
 * One event of a field log: one POST of the service to a receiver. A retry is an event of its own here, since a log does
 * not say which lines belong together.
 */
export interface FieldEvent {
  /** Its place in the source, from 1: a line, an entry of a HAR, a row of a table. */
  readonly place: number;
  /** When it was sent, in milliseconds since 1970; a fraction has microseconds. */
  readonly atMs: number;
  /** Form-encoded, as it was sent. */
  readonly body: string;
  /** Path with its query; absent: the source has none. */
  readonly path?: string | undefined;
  /** Sent at the same moment as the event before it in the source, on another connection. */
  readonly isWithPrevious?: boolean | undefined;
  /** The receiver's answer, as far as the source has it. */
  readonly answer?: FieldAnswer | undefined;
  /** Further tries of the same event in the same record, in their order: only our own `events` have them. */
  readonly retries?: readonly FieldRetry[] | undefined;
}

export interface FieldAnswer {
  /** HTTP status; absent: none came, or the source does not say. */
  readonly status?: number | undefined;
  /** From the request to the answer, in milliseconds. */
  readonly tookMs?: number | undefined;
  readonly body?: string | undefined;
  /** Why no answer came, where the source says so: `timeout`, `connection`, or its own word. */
  readonly error?: string | undefined;
}

/** A try after the first. */
export interface FieldRetry {
  /** Milliseconds since 1970. */
  readonly atMs: number;
  readonly answer: FieldAnswer;
}
