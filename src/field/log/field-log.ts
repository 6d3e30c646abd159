import { basename } from "node:path";
import { LabError } from "../../base/index.js";
import { EventSpool, type SpooledEvent } from "../../store/index.js";
import { isTimezone } from "../../wire/index.js";
import type { FieldAnswer, FieldEvent, FieldRetry } from "../field-event.js";
import type { FieldSink, RejectReason } from "../readers/log-reader.js";
import type { FieldLogOptions } from "./field-log-options.js";
import type { FieldFormat } from "./recognise-format.js";
import { readSource } from "./read-source.js";

/** What was read. `lines` = `events` + all `rejected`. */
export interface FieldLogTotals {
  /** The formats of the files, each once. */
  readonly formats: readonly FieldFormat[];
  readonly lines: number;
  readonly events: number;
  readonly rejected: ReadonlyMap<RejectReason, number>;
  /** What was assumed, a sentence each. */
  readonly notes: readonly string[];
}

/** Where a record is: its file, and its line, entry or row there. */
export interface FieldPlace {
  readonly file: string;
  readonly line: number;
}

/**
 * A field log that was read: its events are in a temporary file, so they can be read in both orders, more than once, in
 * constant memory.
 */
export class FieldLog {
  readonly totals: FieldLogTotals;
  /** Whether the events were kept, see `keeps`. */
  readonly isKept: boolean;
  readonly #spool: EventSpool;
  readonly #files: readonly { readonly name: string; readonly firstPlace: number }[];

  constructor(parts: {
    totals: FieldLogTotals;
    isKept: boolean;
    spool: EventSpool;
    files: { name: string; firstPlace: number }[];
  }) {
    this.totals = parts.totals;
    this.isKept = parts.isKept;
    this.#spool = parts.spool;
    this.#files = parts.files;
  }

  /** Whether the events of the source are in the order of time. */
  get isInOrder(): boolean {
    return this.#spool.isInOrder;
  }

  /** Whether all records are of our own recordings. */
  get isOwn(): boolean {
    return this.totals.formats.every((format) => format === "events");
  }

  *inSourceOrder(): Generator<FieldEvent> {
    for (const event of this.#spool.inSourceOrder()) yield fromSpool(event);
  }

  /** Events of the same instant keep the order of the source. */
  *inOrderOfTime(): Generator<FieldEvent> {
    for (const event of this.#spool.inOrderOfTime()) yield fromSpool(event);
  }

  /** The file and line of an event's `place`, which counts through all files. */
  placeOf(place: number): FieldPlace {
    const file = this.#files.findLast(({ firstPlace }) => firstPlace <= place);
    return { file: file?.name ?? "", line: place - (file?.firstPlace ?? 1) + 1 };
  }

  /** Deletes the temporary file. May be called twice. */
  close(): void {
    this.#spool.close();
  }
}

/**
 * Reads the files of a field log, each of any format, as one log. Close the result.
 *
 * @param files - paths; `-` is standard input
 * @throws LabError `bad-options`, `not-read`; StoreError if the temporary file cannot be written
 */
export async function readFieldLog(files: readonly string[], options: FieldLogOptions = {}): Promise<FieldLog> {
  const { timezone = "UTC", keeps = Infinity } = options;
  if (!isTimezone(timezone)) {
    throw new LabError("bad-options", `--timezone: '${timezone}' is not a time zone`, {
      hint: "write UTC or Africa/Kigali",
    });
  }
  const spool = new EventSpool();
  try {
    const formats = new Set<FieldFormat>();
    const rejected = new Map<RejectReason, number>();
    const notes: string[] = [];
    const places: { name: string; firstPlace: number }[] = [];
    let lines = 0;
    let events = 0;
    for (const path of files) {
      const name = path === "-" ? "standard input" : files.length > 1 ? path : basename(path);
      const firstPlace = lines + 1;
      places.push({ name, firstPlace });
      const sink: FieldSink = {
        event(event) {
          lines++;
          const placed = firstPlace === 1 ? event : { ...event, place: event.place + firstPlace - 1 };
          options.onEvent?.(placed);
          if (++events <= keeps) spool.add(toSpool(placed));
        },
        reject(place, reason, text) {
          lines++;
          rejected.set(reason, (rejected.get(reason) ?? 0) + 1);
          options.onReject?.({ place: place + firstPlace - 1, reason, text, file: name, line: place });
        },
      };
      const format = await readSource({ path, name }, { ...options, timezone, note: (text) => notes.push(text) }, sink);
      formats.add(format);
    }
    const totals = { formats: [...formats], lines, events, rejected, notes };
    return new FieldLog({ totals, isKept: events <= keeps, spool, files: places });
  } catch (error) {
    spool.close();
    throw error;
  }
}

function toSpool({ place, atMs, body, path, isWithPrevious, answer, retries }: FieldEvent): SpooledEvent {
  return {
    place,
    atMs,
    body,
    path: path ?? null,
    isWithPrevious: isWithPrevious === true ? 1 : 0,
    status: answer?.status ?? null,
    tookMs: answer?.tookMs ?? null,
    answer: answer?.body ?? null,
    error: answer?.error ?? null,
    retries: retries === undefined ? null : JSON.stringify(retries),
  };
}

function fromSpool(spooled: SpooledEvent): FieldEvent {
  const { place, atMs, body, path, isWithPrevious, status, tookMs, answer, error, retries } = spooled;
  const hasAnswer = status !== null || tookMs !== null || answer !== null || error !== null;
  const given: FieldAnswer = {
    ...(status !== null && { status }),
    ...(tookMs !== null && { tookMs }),
    ...(answer !== null && { body: answer }),
    ...(error !== null && { error }),
  };
  return {
    place,
    atMs,
    body,
    ...(path !== null && { path }),
    ...(isWithPrevious === 1 && { isWithPrevious: true }),
    ...(hasAnswer && { answer: given }),
    ...(retries !== null && { retries: JSON.parse(retries) as FieldRetry[] }),
  };
}
