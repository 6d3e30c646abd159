import { Readable } from "node:stream";
import {
  type FieldEvent,
  type FieldLogOptions,
  type FieldLogTotals,
  readFieldLog,
  type RejectedPlace,
} from "../../src/field/index.js";

/** What a log has, in the order of time and in that of the source. */
export interface ReadLog {
  readonly totals: FieldLogTotals;
  readonly byTime: readonly FieldEvent[];
  readonly bySource: readonly FieldEvent[];
  readonly rejected: readonly RejectedPlace[];
}

export async function readAll(files: readonly string[], options: FieldLogOptions = {}): Promise<ReadLog> {
  const rejected: RejectedPlace[] = [];
  const log = await readFieldLog(files, { ...options, onReject: (one) => rejected.push(one) });
  try {
    return { totals: log.totals, byTime: [...log.inOrderOfTime()], bySource: [...log.inSourceOrder()], rejected };
  } finally {
    log.close();
  }
}

/** Reads a text as standard input. */
export function readText(text: string | Buffer, options: FieldLogOptions = {}): Promise<ReadLog> {
  return readAll(["-"], { ...options, stdin: readableOf(text) });
}

/** A text as a stream of bytes. */
export function readableOf(text: string | Buffer): Readable {
  return Readable.from([Buffer.from(text)]);
}

export function fixture(name: string): string {
  return new URL(`fixtures/${name}`, import.meta.url).pathname;
}
