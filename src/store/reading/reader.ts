import type { OnProgress } from "../../base/index.js";
import type { Connection, Statement } from "../sqlite/connection.js";
import type { ContactRow } from "../../account/index.js";
import type { CallRow, ChannelRow, EventRow } from "../../gateway/index.js";
import type { AttemptsMax, ServicePreset } from "../../wire/index.js";
import { contactFrom, type ContactCells } from "../account/contacts.js";
import { readAttempts } from "./attempt-rows.js";
import { type AttemptedTuple, EventPages, recordedEvents } from "./event-pages.js";
import type { EventSelection } from "./event-selection.js";
import {
  type AttemptFigures,
  type EventTime,
  type TypedEvent,
  type SampleRow,
  selectAttemptFigures,
  selectHostSeconds,
  selectEventTimes,
  selectSamples,
  selectTypesExcept,
  selectUsualType,
  selectWallEnds,
} from "./figures.js";
import { type LateEvent, readLateEvents, readMedianAnswerMs, readSlowAnswers, type SlowAnswer } from "./late.js";
import { Lookup } from "./lookup.js";
import { RowSource } from "./row-source.js";
import { channelFrom, selectChannels, type StoredChannel } from "../recording/channel-columns.js";
import type {
  AttemptMeasure,
  HostSecondRow,
  EventFates,
  RecordedAttempt,
  RecordedEvent,
  RecordedFlowCall,
  RecordedFlow,
  RecordedFlowRun,
  RecordedInput,
  RecordedMessage,
  RecordedNote,
  RecordedReply,
  RecordedResthookAttempt,
  RecordedRoundTrip,
  RecordedTrouble,
  RecordingCounts,
  RunEndFacts,
  RunMeta,
  TroubleRow,
} from "../recording/rows.js";
import {
  attemptFrom,
  eventFrom,
  flowCallFrom,
  messageFrom,
  selectAttemptAt,
  selectAttemptsOf,
  selectCalls,
  selectContacts,
  selectAlarms,
  selectEventDensity,
  selectEventOf,
  selectEventsFrom,
  selectEventsOfChannels,
  selectEventsOf,
  selectFailureDensity,
  selectCopies,
  selectFates,
  selectFlowCalls,
  selectFlowRuns,
  selectFlows,
  selectInputs,
  selectLastAtMs,
  selectMeasures,
  selectMessages,
  selectNotes,
  selectTroubles,
  selectReplies,
  selectResthookAttempts,
  selectRoundTrips,
  selectTextsWithoutEffect,
  selectLastAnswerWallMs,
  selectWallMs,
  type StoredAttempt,
  type StoredFlowCall,
  type EventTuple,
  type StoredMessage,
} from "./select.js";

/** Rows that `eventAt` reads at once. */
const EVENT_PAGE = 256;

type EventAt = Pick<EventRow, "row" | "channel" | "number" | "atMs" | "body">;
type EventAtTuple = readonly [row: number, channel: number, number: number, atMs: number, body: string];

type StoredRecordedFlow = Omit<RecordedFlow, "definition"> & { readonly row: number; readonly definition: string };

type StoredFlowRun = Omit<RecordedFlowRun, "path" | "results" | "answers"> &
  Readonly<Record<"path" | "results" | "answers", string>> & { readonly row: number };

/**
 * Reads a recording. Lists are read in pages: rows that are added meanwhile come at the end, and no lock is held
 * between pages. It never writes to the recording.
 *
 * Every method throws a StoreError when the file cannot be read.
 */
export class RecordingReader {
  readonly path: string;
  readonly #source: RowSource;
  readonly #events: EventPages;
  readonly #isShared: boolean;
  #lives: Lookup | undefined;
  #eventsFrom: Statement<[number, number], EventAtTuple> | undefined;
  /** The page of events of the last `eventAt`: it is called for one row after the other. */
  #eventPage: readonly EventAt[] = [];
  #eventOf: Statement<[number, number], EventTuple> | undefined;

  /** Use `openRecording` or `Recording.reader()`. A shared connection is closed by its owner. */
  constructor(access: { database: Connection; path: string; isShared: boolean; onProgress?: OnProgress }) {
    this.path = access.path;
    this.#source = new RowSource(access.database, access.path, access.onProgress);
    this.#events = new EventPages(this.#source);
    this.#isShared = access.isShared;
  }

  /** A fact that was stored with `Recording.keep`. */
  kept(key: string): string | undefined {
    return this.#source.value("SELECT value FROM run WHERE key = ?", key);
  }

  /** The facts that were known when the run began. */
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

  /** How the run ended; undefined when it is still running or was killed. */
  end(): RunEndFacts | undefined {
    const run = this.#run();
    const [digest, resultJson, ended] = [run.get("digest"), run.get("result"), run.get("endedWallMs")];
    if (digest === undefined || resultJson === undefined || ended === undefined) return undefined;
    return { digest, resultJson, endedWallMs: Number(ended) };
  }

  /** Size of the recording. */
  get bytes(): number {
    const { database } = this.#source;
    return Number(database.setting("page_count")) * Number(database.setting("page_size"));
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
      flowCalls: this.#count("flow_call"),
      replies: this.#count("reply"),
      inputs: this.#count("input"),
      notes: this.#count("note"),
    };
  }

  /** How many events there are of each type. */
  eventsByType(): Map<string, number> {
    return this.#source.map("SELECT type, count(*) FROM event GROUP BY type ORDER BY type");
  }

  /** The most frequent type of the first events; undefined: there are none. */
  usualType(): string | undefined {
    return this.#source.value(selectUsualType);
  }

  /** How many attempts ended in each way. */
  attemptsByOutcome(): Map<string, number> {
    return this.#source.map("SELECT outcome, count(*) FROM attempt GROUP BY outcome ORDER BY outcome");
  }

  /** How many replies were ignored for each reason; valid ones are under `valid`. */
  repliesByReason(): Map<string, number> {
    return this.#source.map("SELECT coalesce(reason, kind) AS word, count(*) FROM reply GROUP BY word ORDER BY word");
  }

  /** How many messages have each direction and status, such as `OD`: outgoing, delivered. */
  messagesByStatus(): Map<string, number> {
    return this.#source.map("SELECT direction || status AS word, count(*) FROM message GROUP BY word ORDER BY word");
  }

  /**
   * Number of events by the state of their delivery.
   *
   * @param max - after how many attempts the service gives up: `attemptsAllowed(meta().preset)`
   */
  eventFates({ attempts, flowAttempts }: AttemptsMax): EventFates {
    const fates = this.#source.map<string, number>(selectFates, flowAttempts, attempts);
    const of = (fate: string): number => fates.get(fate) ?? 0;
    return {
      delivered: of("delivered"),
      failed: of("failed"),
      waiting: of("waiting"),
      noReceiver: of("no-receiver"),
      notForwarded: of("not-forwarded"),
    };
  }

  /** Number of events that are copies, by cause, sorted by name. */
  copiesByCause(): Map<string, number> {
    return this.#source.map<string, number>(selectCopies);
  }

  /** Virtual time of the latest event, message or note. */
  lastAtMs(): number {
    return this.#source.value<number>(selectLastAtMs) ?? 0;
  }

  /** Counts of events and of failed attempts per span of virtual time; the spans start at 0. */
  density(spanMs: number): { readonly events: Map<number, number>; readonly failures: Map<number, number> } {
    return {
      events: this.#source.map(selectEventDensity, spanMs),
      failures: this.#source.map(selectFailureDensity, spanMs),
    };
  }

  /** Events of the type `alarm`, in order. */
  alarms(limit: number): { readonly channel: number; readonly atMs: number }[] {
    const statement = this.#source.prepare<[number], { readonly channel: number; readonly atMs: number }>(selectAlarms);
    return this.#source.read(() => statement.all(limit));
  }

  /** Virtual time of the latest external effect: an input or an attempt's outcome; 0 when there is none. */
  lastEffectMs(): number {
    const inputMs = this.#source.value<number>("SELECT at_ms FROM input ORDER BY row DESC LIMIT 1");
    const attemptMs = this.#source.value<number>("SELECT effect_at_ms FROM attempt ORDER BY row DESC LIMIT 1");
    return Math.max(inputMs ?? 0, attemptMs ?? 0);
  }

  /** The last row of the events, or of a table of external effects; 0 when it is empty. */
  lastRowOf(table: "event" | "input" | "attempt" | "flow_call" | "resthook_attempt" | "round_trip"): number {
    return this.#source.value<number | null>(`SELECT max(row) FROM ${table}`) ?? 0;
  }

  /** Wall milliseconds from the first request to the last answer; 0 when there was none. */
  wallMs(): number {
    return this.#source.value<number>(selectWallMs) ?? 0;
  }

  /** When the last answer came, wall milliseconds as `sentWallMs`; 0 when there was none. */
  lastAnswerWallMs(): number {
    return this.#source.value<number>(selectLastAnswerWallMs) ?? 0;
  }

  /** Measurements of all attempts, in the order in which they were recorded. */
  attemptMeasures(): Generator<AttemptMeasure> {
    return this.#source.rows(selectMeasures);
  }

  /** The events of a selection, by default all, in the order (virtual time, channel, number), with their attempts. */
  events(selection: EventSelection = {}): Generator<RecordedEvent> {
    return recordedEvents(this.#events.attempted(selection, "bytes"), this.#events.urlOf);
  }

  /** The same events in the same order, without attempts. */
  *eventRows(selection: EventSelection = {}): Generator<EventRow> {
    for (const piece of this.#events.events(selection)) for (const tuple of piece) yield eventFrom(tuple);
  }

  /** The same events in the same order as tuples, one for each attempt: pieces, none of them empty. */
  attemptedEvents(selection: EventSelection = {}): Generator<AttemptedTuple<string>[]> {
    return this.#events.attempted(selection, "text");
  }

  /** Where attempts were sent, by the `target` of their tuples. */
  targetUrl(target: number | null): string {
    return this.#events.urlOf(target);
  }

  /** The attempts of one event, first try first. */
  attemptsOf(channel: number, number: number): RecordedAttempt[] {
    const select = selectAttemptsOf(this.#events.keys().table);
    const statement = this.#source.prepare<[number, number], StoredAttempt>(select);
    return this.#source.read(() => statement.all(channel, number).map(attemptFrom));
  }

  /**
   * The attempts after a row, by default all, in the order in which they were recorded.
   *
   * @param channels - only theirs
   */
  attempts(afterRow = 0, channels?: ReadonlySet<number>): Generator<RecordedAttempt> {
    return readAttempts(this.#source, { afterRow, channels, urlOf: this.#events.urlOf });
  }

  /** An attempt by its row. */
  attemptAt(row: number): RecordedAttempt | undefined {
    const stored = this.#source.first<StoredAttempt>(selectAttemptAt, row);
    return stored === undefined ? undefined : this.#source.read(() => attemptFrom(stored));
  }

  /** An event by its row. */
  eventAt(row: number): EventAt | undefined {
    const known = this.#eventPage[row - (this.#eventPage[0]?.row ?? 0)];
    if (known?.row === row) return known;
    const statement = (this.#eventsFrom ??= this.#source.prepare(selectEventsFrom, "tuple"));
    this.#eventPage = this.#source
      .read(() => statement.all(row, EVENT_PAGE))
      .map(([eventRow, channel, number, atMs, body]) => ({ row: eventRow, channel, number, atMs, body }));
    const [first] = this.#eventPage;
    return first?.row === row ? first : undefined;
  }

  /** The events of some channels, in the order in which they were recorded. */
  *eventsOfChannels(channels: ReadonlySet<number>): Generator<EventAt> {
    const wanted = JSON.stringify([...channels]);
    for (const page of this.#source.tuplesAfter<EventAtTuple>(selectEventsOfChannels, 0, wanted))
      for (const [row, channel, number, atMs, body] of page) yield { row, channel, number, atMs, body };
  }

  /** An event by its channel and number; fast once the run has ended, because `finish` creates the index. */
  eventOf(channel: number, number: number): EventRow | undefined {
    const statement = (this.#eventOf ??= this.#source.prepare(selectEventOf, "tuple"));
    const event = this.#source.read(() => statement.get(channel, number));
    return event === undefined ? undefined : eventFrom(event);
  }

  /** Events by their channels and numbers, in no order. Without an index this is one pass over the table. */
  eventsOf(wanted: readonly { readonly channel: number; readonly number: number }[]): EventRow[] {
    const statement = this.#source.prepare<[string], EventTuple>(selectEventsOf, "tuple");
    const keys = JSON.stringify(wanted.map(({ channel, number }) => [channel, number]));
    return this.#source.read(() => statement.all(keys)).map(eventFrom);
  }

  /** Types of all events except those of one type, in the order of their rows: pages, none of them empty. */
  typesExcept(type: string): Generator<TypedEvent[]> {
    return this.#source.tuples<TypedEvent>(selectTypesExcept, type);
  }

  /** Times of all events, in order: pages, none of them empty. */
  eventTimes(): Generator<EventTime[]> {
    return this.#source.tuples<EventTime>(selectEventTimes);
  }

  /** All attempts without headers and bodies, in the order in which they were recorded: pages, none of them empty. */
  attemptFigures(): Generator<AttemptFigures[]> {
    return this.#source.tuples<AttemptFigures>(selectAttemptFigures);
  }

  /** When the first request was written and the last answer came, in wall milliseconds since the sender was made. */
  wallEnds(): { readonly fromMs: number; readonly untilMs: number } | undefined {
    const statement = this.#source.prepare<[], [number | null, number | null]>(selectWallEnds, "tuple");
    const [fromMs, untilMs] = this.#source.read(() => statement.get()) ?? [null, null];
    return fromMs === null || untilMs === null ? undefined : { fromMs, untilMs };
  }

  /** Samples of the fleet in the order of time: a row for each group and instant. */
  samples(): Generator<SampleRow> {
    return this.#source.rows<SampleRow & { readonly row: number }>(selectSamples);
  }

  /** Wall seconds in which other programs competed for this machine's cores, in order. */
  hostSeconds(): Generator<HostSecondRow> {
    return this.#source.rows<HostSecondRow & { readonly row: number }>(selectHostSeconds);
  }

  /** All messages with their latest status, in the order in which they were made. */
  *messages(): Generator<RecordedMessage> {
    for (const row of this.#source.rows<StoredMessage>(selectMessages)) yield messageFrom(row);
  }

  /** All channels with the state last written, in the order of their ids. */
  *channels(): Generator<ChannelRow> {
    for (const row of this.#source.rows<StoredChannel>(selectChannels)) yield this.#source.read(() => channelFrom(row));
  }

  /** All contacts, in the order in which they were made. */
  *contacts(): Generator<ContactRow> {
    for (const stored of this.#source.rows<ContactCells>(selectContacts))
      yield this.#source.read(() => contactFrom(stored));
  }

  /** All flows of the account, in the order in which they were made. */
  *flows(): Generator<RecordedFlow> {
    for (const { row: _, ...flow } of this.#source.rows<StoredRecordedFlow>(selectFlows)) {
      yield { ...flow, definition: JSON.parse(flow.definition) as unknown };
    }
  }

  /** All runs of flows, in the order in which they began. */
  *flowRuns(): Generator<RecordedFlowRun> {
    for (const { row: _, ...run } of this.#source.rows<StoredFlowRun>(selectFlowRuns)) {
      yield {
        ...run,
        path: JSON.parse(run.path) as RecordedFlowRun["path"],
        results: JSON.parse(run.results) as RecordedFlowRun["results"],
        answers: JSON.parse(run.answers) as RecordedFlowRun["answers"],
      };
    }
  }

  /** All calls, in the order in which the service received them. */
  calls(): Generator<CallRow> {
    return this.#source.rows(selectCalls);
  }

  /** Answered HTTP calls of flows after a row, by default all, in the order in which their answers took effect. */
  *flowCalls(afterRow = 0): Generator<RecordedFlowCall> {
    for (const row of this.#source.rows<StoredFlowCall>(selectFlowCalls, afterRow))
      yield this.#source.read(() => flowCallFrom(row));
  }

  /** Attempts to post events of resthooks after a row, by default all, in the order of their answers' effects. */
  resthookAttempts(afterRow = 0): Generator<RecordedResthookAttempt> {
    return this.#source.rows(selectResthookAttempts, afterRow);
  }

  /** Look-ups of the rows that belong to one event, message or call. */
  lookup(): Lookup {
    return (this.#lives ??= new Lookup(this.#source));
  }

  /** Effects of answers. */
  replies(): Generator<RecordedReply> {
    return this.#source.rows(selectReplies);
  }

  /** The first events whose answers were ignored for a reason. */
  ignoredReplies(reason: string, limit: number): Pick<RecordedReply, "channel" | "number">[] {
    const statement = this.#source.prepare<[string, number], Pick<RecordedReply, "channel" | "number">>(
      "SELECT channel, number FROM reply WHERE kind = 'ignored' AND reason = ? ORDER BY row LIMIT ?",
    );
    return this.#source.read(() => statement.all(reason, limit));
  }

  /** Round trips after a row (default: all), in the order in which the receiver acted on the incoming texts. */
  roundTrips(afterRow = 0): Generator<RecordedRoundTrip> {
    return this.#source.rows(selectRoundTrips, afterRow);
  }

  /** The first texts that were posted to the receiver without an effect. */
  textsWithoutEffect(limit: number): Pick<EventRow, "channel" | "number" | "atMs" | "body">[] {
    const statement = this.#source.prepare<[number], Pick<EventRow, "channel" | "number" | "atMs" | "body">>(
      selectTextsWithoutEffect,
    );
    return this.#source.read(() => statement.all(limit));
  }

  /** Events that came to the receiver at least this much after the phone had them, in order. Virtual milliseconds. */
  lateEvents(leastMs: number): LateEvent[] {
    return readLateEvents(this.#source, leastMs);
  }

  /** Answers that took at least this long, in order. */
  slowAnswers(leastMs: number): SlowAnswer[] {
    return readSlowAnswers(this.#source, leastMs);
  }

  /** The median time to an answer, in milliseconds; 0 without any. */
  medianAnswerMs(): number {
    return readMedianAnswerMs(this.#source);
  }

  /** Inputs from outside the scenario after a row, by default all, in order. */
  inputs(afterRow = 0): Generator<RecordedInput> {
    return this.#source.rows(selectInputs, afterRow);
  }

  /** The attempts that were made by hand: `3/17 2` is the second of event 3/17. */
  triesByHand(): ReadonlySet<string> {
    const select = "SELECT (json ->> 'id') || ' ' || (json ->> 'try') AS attempt FROM input WHERE kind = 'resend'";
    return new Set(this.#source.all<{ readonly attempt: string }>(select).map(({ attempt }) => attempt));
  }

  /** What attempts met on their way to the receiver, in the order in which it was drawn. */
  troubles(): Generator<RecordedTrouble> {
    return this.#source.rows(selectTroubles);
  }

  /** What the attempts at one event met. */
  troublesOf({ channel, number }: Pick<TroubleRow, "channel" | "number">): TroubleRow[] {
    const select =
      "SELECT at_ms AS atMs, channel, number, try, kind, value FROM trouble WHERE channel = ? AND number = ? ORDER BY row";
    return this.#source.all(select, channel, number);
  }

  /** The log of the run. */
  notes(): Generator<RecordedNote> {
    return this.#source.rows(selectNotes);
  }

  /** May be called twice. */
  close(): void {
    if (!this.#isShared) this.#source.database.close();
  }

  #run(): Map<string, string> {
    return this.#source.map("SELECT key, value FROM run");
  }

  #count(table: string): number {
    return this.#source.value<number>(`SELECT count(*) FROM ${table}`) ?? 0;
  }
}
