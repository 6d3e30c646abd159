import type { Readable } from "node:stream";
import type { OnProgress } from "../../base/index.js";
import type { FieldEvent } from "../field-event.js";
import type { RejectedRecord } from "../readers/log-reader.js";
import type { FieldFormat } from "./recognise-format.js";

/** How to read a field log. */
export interface FieldLogOptions {
  /** Default: recognised by the content of each file. */
  readonly format?: FieldFormat | undefined;
  /** SQL that reads a SQLite file. */
  readonly query?: string | undefined;
  /** Format line of nginx (`log_format`) or Apache (`LogFormat`). */
  readonly logFormat?: string | undefined;
  /** `role=column`, such as `time=ts`. */
  readonly columns?: readonly string[] | undefined;
  /** IANA name, of times that name none; default UTC. */
  readonly timezone?: string | undefined;
  /** What `-` reads; default: standard input. */
  readonly stdin?: Readable | undefined;
  /** Gets each rejected record, in the order of the source. */
  readonly onReject?: ((rejected: RejectedPlace) => void) | undefined;
  /** Gets each event, in the order of the source. */
  readonly onEvent?: ((event: FieldEvent) => void) | undefined;
  readonly onProgress?: OnProgress | undefined;
  /** Most events that are kept to be read again; default: all. Of a log with more, none are kept: half the time. */
  readonly keeps?: number | undefined;
}

/** A rejected record and the file that has it. */
export interface RejectedPlace extends RejectedRecord {
  /** Name of the file. */
  readonly file: string;
  /** Its line, entry or row in this file, from 1. */
  readonly line: number;
}
