import type { FieldEvent } from "../field-event.js";

/** Why a record of a source is no event. A closed set: summaries and `--json` count by these words. */
export const rejectReasons = {
  "blank line": "the line is empty",
  "not JSON": "the line is not a JSON object",
  "not a log line": "the line has not the fields of an access log",
  "not valid CSV": "the row cannot be split into values",
  "not an HTTP request": "the record has no request line or no end of its headers",
  "not a POST": "another method than POST, without an event in its query",
  "no time": "nothing in the record can be read as a time",
  "no body": "the record has no body of a request",
  "no event": "the body has no field `event`",
  "not a form": "the body is JSON or something else that the service does not post",
  "no outcome yet": "the message was not sent or refused yet, so the service has posted nothing",
} as const;

/** One of `rejectReasons`. */
export type RejectReason = keyof typeof rejectReasons;

/** A record of a source that is no event. */
export interface RejectedRecord {
  /** As `FieldEvent.place`. */
  readonly place: number;
  readonly reason: RejectReason;
  /** The record as the source has it, possibly cut. */
  readonly text: string;
}

/** Gets what a reader finds. Each record of the source is reported once: as an event or as rejected. */
export interface FieldSink {
  event(event: FieldEvent): void;
  reject(place: number, reason: RejectReason, text: string): void;
}

/** Reads a source from chunks of its text; a record that a chunk cuts is kept for the next one. */
export interface LogReader {
  write(text: string): void;
  /** Reads what is left. */
  end(): void;
}

/** Splits chunks into lines, without their ends (LF or CRLF). */
export class Lines implements LogReader {
  readonly #onLine: (line: string, place: number) => void;
  #rest = "";
  #place = 0;

  /** @param onLine - gets each line and its number, from 1 */
  constructor(onLine: (line: string, place: number) => void) {
    this.#onLine = onLine;
  }

  write(text: string): void {
    let from = 0;
    for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", from)) {
      const line = this.#rest === "" ? text.slice(from, end) : this.#rest + text.slice(from, end);
      this.#rest = "";
      this.#onLine(line.endsWith("\r") ? line.slice(0, -1) : line, ++this.#place);
      from = end + 1;
    }
    this.#rest += text.slice(from);
  }

  end(): void {
    if (this.#rest !== "") this.#onLine(this.#rest, ++this.#place);
    this.#rest = "";
  }
}
