import { statSync } from "node:fs";
import Database, { type Database as Connection, type Statement } from "better-sqlite3";
import type { CallRow, ChannelRow, ContactRow, EventRow } from "../gateway/index.js";
import type { ServicePreset } from "../wire/index.js";
import { contactFrom, type StoredContact } from "./account/contacts.js";
import { AttemptKeys } from "./attempt-keys.js";
import { asStoreError, storeError } from "./errors.js";
import {
  type AttemptFigures,
  type EventFigures,
  type SampleRow,
  selectAttemptFigures,
  selectEchoes,
  selectEventFigures,
  selectSamples,
  selectWallEnds,
} from "./figures.js";
import { openInMemory } from "./in-memory.js";
import { APPLICATION_ID, migrate, SCHEMA_VERSION } from "./migrations/index.js";
import type {
  AttemptGlimpse,
  AttemptMeasure,
  EventFates,
  RecordedAttempt,
  RecordedEvent,
  RecordedInput,
  RecordedMessage,
  RecordedNote,
  RecordedReply,
  RecordedRoundTrip,
  RecordingCounts,
  RunEnd,
  RunMeta,
} from "./rows.js";
import {
  attemptFrom,
  channelFrom,
  eventFrom,
  messageFrom,
  selectAttemptAt,
  selectAttempts,
  selectAttemptsOf,
  selectCalls,
  selectChannels,
  selectContacts,
  selectEventAt,
  selectEventOf,
  selectEvents,
  selectFates,
  selectGlimpses,
  selectInputs,
  selectLastAtMs,
  selectMeasures,
  selectMessages,
  selectNotes,
  selectReplies,
  selectRoundTrips,
  selectLastAnswerWallMs,
  selectWallMs,
  type EventTuple,
  type StoredAttempt,
  type StoredChannel,
  type StoredGlimpse,
  type StoredMessage,
} from "./select.js";

/** Rows read in one go. Between two goes nothing is locked, and whoever writes the recording may tidy its WAL. */
const PAGE_ROWS = 1000;

/**
 * Opens a recording for reading: a finished one, one that another process is writing, or one that was cut off.
 * Close it after use.
 *
 * @throws StoreError `no-such-recording`, `not-a-recording`, `newer-recording`, `not-readable`, `recording-damaged`…
 */
export function openRecording(path: string): RecordingReader {
  let database: Connection | undefined;
  try {
    if (statSync(path).isDirectory()) throw storeError("is-a-folder", path, "read");
    database = new Database(path, { readonly: true, fileMustExist: true });
    checkMark(database, path);
    database = upToDate(database);
    return new RecordingReader({ database, path, isShared: false });
  } catch (error) {
    database?.close();
    throw asStoreError(error, path, "read");
  }
}

function checkMark(database: Connection, path: string): void {
  if (database.pragma("application_id", { simple: true }) !== APPLICATION_ID) {
    throw storeError("not-a-recording", path, "read");
  }
  if (Number(database.pragma("user_version", { simple: true })) > SCHEMA_VERSION) {
    throw storeError("newer-recording", path, "read");
  }
}

/** A recording of an older version is read from a copy in memory that has the tables of this one. */
function upToDate(database: Connection): Connection {
  if (Number(database.pragma("user_version", { simple: true })) === SCHEMA_VERSION) return database;
  const copy = openInMemory(database.serialize());
  database.close();
  migrate(copy);
  return copy;
}

/**
 * Reads a recording. Lists are read in pages: what is added while one reads comes at the end of the list, and no
 * lock is held in between. Nothing here writes, so a cut-off recording stays as it was found.
 *
 * Every method throws a StoreError when the file cannot be read.
 */
export class RecordingReader {
  readonly path: string;
  readonly #database: Connection;
  readonly #isShared: boolean;
  #keys: AttemptKeys | undefined;
  #eventOf: Statement<[number, number], EventRow> | undefined;

  /** Use `openRecording` or `Recording.reader()`. A shared connection is closed by its owner. */
  constructor(access: { database: Connection; path: string; isShared: boolean }) {
    this.path = access.path;
    this.#database = access.database;
    this.#isShared = access.isShared;
  }

  /** A fact that was kept (`Recording.keep`). */
  kept(key: string): string | undefined {
    const select = (): string | undefined =>
      this.#database.prepare<[string], string>("SELECT value FROM run WHERE key = ?").pluck().get(key);
    return this.#read(select);
  }

  /** What was known of the run when it began. */
  meta(): RunMeta {
    const run = this.#run();
    const text = (key: string): string => run.get(key) ?? "";
    return {
      name: text("name"),
      seed: Number(text("seed")),
      version: text("version"),
      scenario: { file: text("scenarioFile"), text: text("scenario") },
      startsAtMs: Number(text("startsAtMs")),
      lastsMs: Number(text("lastsMs")),
      preset: JSON.parse(text("preset")) as ServicePreset,
      startedWallMs: Number(text("startedWallMs")),
      options: JSON.parse(text("options")) as Record<string, string>,
    };
  }

  /** How the run ended; undefined when it is still running or was cut off. */
  end(): RunEnd | undefined {
    const run = this.#run();
    const [digest, resultJson, ended] = [run.get("digest"), run.get("result"), run.get("endedWallMs")];
    if (digest === undefined || resultJson === undefined || ended === undefined) return undefined;
    return { digest, resultJson, endedWallMs: Number(ended) };
  }

  /** How many rows there are of each kind. */
  counts(): RecordingCounts {
    return {
      channels: this.#count("channel"),
      contacts: this.#count("contact"),
      messages: this.#count("message"),
      calls: this.#count("call"),
      events: this.#count("event"),
      attempts: this.#count("attempt"),
      replies: this.#count("reply"),
      inputs: this.#count("input"),
      notes: this.#count("note"),
    };
  }

  /** How many events there are of each type. */
  eventsByType(): Map<string, number> {
    return this.#tally("SELECT type, count(*) FROM event GROUP BY type ORDER BY type");
  }

  /** How many attempts ended in each way. */
  attemptsByOutcome(): Map<string, number> {
    return this.#tally("SELECT outcome, count(*) FROM attempt GROUP BY outcome ORDER BY outcome");
  }

  /** How many replies were ignored for each reason; valid ones are under `valid`. */
  repliesByReason(): Map<string, number> {
    return this.#tally("SELECT coalesce(reason, kind) AS word, count(*) FROM reply GROUP BY word ORDER BY word");
  }

  /** How many messages have each direction and status, such as `OD`: outgoing, delivered. */
  messagesByStatus(): Map<string, number> {
    return this.#tally("SELECT direction || status AS word, count(*) FROM message GROUP BY word ORDER BY word");
  }

  /**
   * What has become of the events.
   *
   * @param attempts - after how many attempts the service gives up (`meta().preset.attempts`)
   */
  eventFates(attempts: number): EventFates {
    const fates = this.#tally(selectFates, attempts);
    const of = (fate: string): number => fates.get(fate) ?? 0;
    return {
      delivered: of("delivered"),
      failed: of("failed"),
      waiting: of("waiting"),
      noReceiver: of("no-receiver"),
    };
  }

  /** How far the world came: the virtual time of the last thing that happened in it. */
  lastAtMs(): number {
    return this.#read(() => this.#database.prepare<[], number>(selectLastAtMs).pluck().get()) ?? 0;
  }

  /** Wall milliseconds from the first request to the last answer; 0 when there was none. */
  wallMs(): number {
    return this.#read(() => this.#database.prepare<[], number>(selectWallMs).pluck().get()) ?? 0;
  }

  /** When the last answer came, on the wall's clock of `sentWallMs`; 0 when there was none. */
  lastAnswerWallMs(): number {
    return this.#read(() => this.#database.prepare<[], number>(selectLastAnswerWallMs).pluck().get()) ?? 0;
  }

  /** What was measured of all attempts, in the order in which they were recorded. */
  attemptMeasures(): Generator<AttemptMeasure> {
    return this.#rows(selectMeasures);
  }

  /** All events in the order (virtual time, channel, number), with how their attempts went. */
  *events(): Generator<RecordedEvent> {
    const select = selectGlimpses(this.#attemptKeys());
    const page = this.#read(() => this.#database.prepare<[number, number], StoredGlimpse>(select));
    for (const events of this.#eventsInOrder()) {
      this.#attemptKeys();
      const glimpses = byEvent(this.#read(() => page.all(events.firstRow, events.lastRow)));
      for (const event of events.sorted) yield withAttempts(event, glimpses.get(event.row));
    }
  }

  /** The same events in the same order, by themselves. */
  *eventRows(): Generator<EventRow> {
    for (const events of this.#eventsInOrder()) yield* events.sorted;
  }

  /**
   * Events in pieces that hold whole instants. Rows are in the order of time already, so it is enough to sort each
   * piece; what came last may go on in the next page, and waits for it.
   */
  *#eventsInOrder(): Generator<{ sorted: EventRow[]; firstRow: number; lastRow: number }> {
    let waiting: EventRow[] = [];
    for (const page of this.#tuples<EventTuple>(selectEvents)) {
      waiting = waiting.concat(page.map(eventFrom));
      const lastAtMs = waiting.at(-1)?.atMs;
      const whole = waiting.splice(
        0,
        waiting.findIndex((event) => event.atMs === lastAtMs),
      );
      if (whole.length > 0) yield inOrder(whole);
    }
    if (waiting.length > 0) yield inOrder(waiting);
  }

  /** The attempts of one event, first try first. */
  attemptsOf(channel: number, number: number): RecordedAttempt[] {
    const select = selectAttemptsOf(this.#attemptKeys());
    const stored = this.#read(() =>
      this.#database.prepare<[number, number], StoredAttempt>(select).all(channel, number),
    );
    return stored.map(attemptFrom);
  }

  /** All attempts, in the order in which they were recorded. */
  *attempts(): Generator<RecordedAttempt> {
    for (const row of this.#rows<StoredAttempt>(selectAttempts)) yield attemptFrom(row);
  }

  /** An attempt by its row. */
  attemptAt(row: number): RecordedAttempt | undefined {
    const stored = this.#read(() => this.#database.prepare<[number], StoredAttempt>(selectAttemptAt).get(row));
    return stored === undefined ? undefined : attemptFrom(stored);
  }

  /** An event by its row. */
  eventAt(row: number): EventRow | undefined {
    return this.#read(() => this.#database.prepare<[number], EventRow>(selectEventAt).get(row));
  }

  /** An event by its channel and number; quick once the run has ended, when there is an index. */
  eventOf(channel: number, number: number): EventRow | undefined {
    const statement = (this.#eventOf ??= this.#read(() =>
      this.#database.prepare<[number, number], EventRow>(selectEventOf),
    ));
    return this.#read(() => statement.get(channel, number));
  }

  /** All events without their bodies, in the order in which they came into being: pages, none of them empty. */
  eventFigures(): Generator<EventFigures[]> {
    return this.#tuples<EventFigures>(selectEventFigures);
  }

  /** All attempts without what went over the wire, in the order in which they were recorded: pages, none of them empty. */
  attemptFigures(): Generator<AttemptFigures[]> {
    return this.#tuples<AttemptFigures>(selectAttemptFigures);
  }

  /** When the first request was written and the last answer came, in wall milliseconds since the sender was made. */
  wallEnds(): { readonly fromMs: number; readonly untilMs: number } | undefined {
    const ends = this.#read(() =>
      this.#database.prepare<[], [number | null, number | null]>(selectWallEnds).raw().get(),
    );
    const [fromMs, untilMs] = ends ?? [null, null];
    return fromMs === null || untilMs === null ? undefined : { fromMs, untilMs };
  }

  /** How the fleet stood from time to time, in the order of time; for each instant a row for each group. */
  samples(): Generator<SampleRow> {
    return this.#rows<SampleRow & { readonly row: number }>(selectSamples);
  }

  /** Texts by which the receiver told somebody the same thing again within ten virtual seconds. */
  echoes(): number {
    return this.#read(() => this.#database.prepare<[], number>(selectEchoes).pluck().get()) ?? 0;
  }

  /** All messages as they stand, in the order in which they were made. */
  *messages(): Generator<RecordedMessage> {
    for (const row of this.#rows<StoredMessage>(selectMessages)) yield messageFrom(row);
  }

  /** All channels with the state last written, in the order of their ids. */
  *channels(): Generator<ChannelRow> {
    for (const row of this.#rows<StoredChannel>(selectChannels)) yield channelFrom(row);
  }

  /** All contacts, in the order in which they were made. */
  *contacts(): Generator<ContactRow> {
    for (const stored of this.#rows<StoredContact>(selectContacts)) yield contactFrom(stored);
  }

  /** All calls, in the order in which the service heard of them. */
  calls(): Generator<CallRow> {
    return this.#rows(selectCalls);
  }

  /** What answers led to. */
  replies(): Generator<RecordedReply> {
    return this.#rows(selectReplies);
  }

  /** From incoming texts to what the receiver did about them, in the order in which it did. */
  roundTrips(): Generator<RecordedRoundTrip> {
    return this.#rows(selectRoundTrips);
  }

  /** What came from outside the scenario, in the order in which it came. */
  inputs(): Generator<RecordedInput> {
    return this.#rows(selectInputs);
  }

  /** The log of the run. */
  notes(): Generator<RecordedNote> {
    return this.#rows(selectNotes);
  }

  /** May be called twice. */
  close(): void {
    if (!this.#isShared) this.#database.close();
  }

  /** The table by which attempts are found, up to date. */
  #attemptKeys(): string {
    return this.#read(() => {
      const keys = (this.#keys ??= new AttemptKeys(this.#database));
      keys.follow();
      return keys.table;
    });
  }

  #run(): Map<string, string> {
    const select = "SELECT key, value FROM run";
    return new Map(this.#read(() => this.#database.prepare<[], [string, string]>(select).raw().all()));
  }

  #count(table: string): number {
    const select = `SELECT count(*) FROM ${table}`;
    return this.#read(() => this.#database.prepare<[], number>(select).pluck().get()) ?? 0;
  }

  #tally(select: string, ...values: number[]): Map<string, number> {
    return new Map(
      this.#read(() =>
        this.#database
          .prepare<number[], [string, number]>(select)
          .raw()
          .all(...values),
      ),
    );
  }

  *#rows<Row extends { readonly row: number }>(select: string): Generator<Row> {
    for (const page of this.#pages<Row>(select)) yield* page;
  }

  /** A table in pages, none of them empty. */
  *#pages<Row extends { readonly row: number }>(select: string): Generator<Row[]> {
    const page = this.#read(() => this.#database.prepare<[number, number], Row>(select));
    let after = 0;
    for (;;) {
      const rows = this.#read(() => page.all(after, PAGE_ROWS));
      const last = rows.at(-1);
      if (last === undefined) return;
      yield rows;
      after = last.row;
    }
  }

  /** Pages of a table as lists of values, the row first. */
  *#tuples<Row extends readonly [row: number, ...rest: unknown[]]>(select: string): Generator<Row[]> {
    const page = this.#read(() => this.#database.prepare<[number, number], Row>(select).raw());
    let after = 0;
    for (;;) {
      const rows = this.#read(() => page.all(after, PAGE_ROWS)) as Row[];
      const last = rows.at(-1);
      if (last === undefined) return;
      yield rows;
      after = last[0];
    }
  }

  #read<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      throw asStoreError(error, this.path, "read");
    }
  }
}

function inOrder(events: EventRow[]): { sorted: EventRow[]; firstRow: number; lastRow: number } {
  const [firstRow, lastRow] = [events[0]?.row ?? 0, events.at(-1)?.row ?? 0];
  events.sort((a, b) => a.atMs - b.atMs || a.channel - b.channel || a.number - b.number);
  return { sorted: events, firstRow, lastRow };
}

/** Spelled out, because spreading an object costs more than reading it from the file did. */
function withAttempts(event: EventRow, attempts: readonly AttemptGlimpse[] = []): RecordedEvent {
  const { row, channel, number, atMs, type, body, subject } = event;
  return { row, channel, number, atMs, type, body, subject, attempts };
}

function byEvent(glimpses: readonly StoredGlimpse[]): Map<number, AttemptGlimpse[]> {
  const groups = new Map<number, AttemptGlimpse[]>();
  for (const { event, ...glimpse } of glimpses) {
    const group = groups.get(event);
    if (group === undefined) groups.set(event, [glimpse]);
    else group.push(glimpse);
  }
  return groups;
}
