import type { AttemptGlimpse, RecordedEvent } from "../recording/rows.js";
import { AttemptKeys } from "./attempt-keys.js";
import { conditionOf, type EventSelection, LIST } from "./event-selection.js";
import { narrowedRows, type RowRange } from "./narrowed-rows.js";
import type { RowSource } from "./row-source.js";
import { firstRowAfter, firstRowFrom, lastEventRow } from "./rows-by-time.js";
import { eventColumns, eventFrom, type EventTuple, urlIn } from "./select.js";

/**
 * An event with one of its attempts; the attempt's values are null when it has none. `Body` is the type of the
 * answer's body.
 */
export type AttemptedTuple<Body> = readonly [
  ...event: EventTuple,
  tryNumber: number | null,
  target: number | null,
  dueAtMs: number,
  effectAtMs: number,
  status: number | null,
  error: string | null,
  outcome: string,
  durationMs: number,
  latencyMs: number,
  sentWallMs: number | null,
  answer: Body | null,
];

const columns = eventColumns.replaceAll(/\w+/g, "event.$&");

const glimpseColumns = `attempt.try, attempt.target, attempt.due_at_ms, attempt.effect_at_ms, attempt.status,
  attempt.error, attempt.outcome, attempt.duration_ms, attempt.latency_ms, attempt.sent_wall_ms`;

/** Index of `tryNumber` in the tuple. */
const TRY = 9;

/**
 * Rows that one page searches. The number doubles from page to page while pages find few events, so that a rare kind
 * of event does not take thousands of queries. No lock is held between two pages, so the writer can checkpoint the
 * WAL.
 */
const SEARCHED = { min: 1000, max: 16_000 } as const;

/** The last row of a selection without `toMs`: rows that are added during the reading are included. */
const ALL_ROWS = Number.MAX_SAFE_INTEGER;

/**
 * Reads the events of a selection in the order (virtual time, channel, number). Each page is one query with all
 * conditions.
 */
export class EventPages {
  readonly #source: RowSource;
  readonly #urls = new Map<number | null, string>();
  #keys: AttemptKeys | undefined;

  constructor(source: RowSource) {
    this.#source = source;
  }

  /** Events without attempts, in pieces (lists of tuples). */
  events(selection: EventSelection): Generator<EventTuple[]> {
    return eventsInOrder(this.#pages<EventTuple>(selection, () => `SELECT ${columns} FROM event`));
  }

  /**
   * Events with attempts, in pieces: one tuple for each attempt, first try first.
   *
   * @param answer - how the bodies of answers are read; text is decoded as UTF-8, invalid bytes as U+FFFD
   */
  attempted(selection: EventSelection, answer: "bytes"): Generator<AttemptedTuple<Uint8Array>[]>;
  attempted(selection: EventSelection, answer: "text"): Generator<AttemptedTuple<string>[]>;
  attempted(selection: EventSelection, answer: "text" | "bytes"): Generator<AttemptedTuple<string | Uint8Array>[]> {
    const body = answer === "text" ? "CAST(attempt.body AS TEXT)" : "attempt.body";
    return eventsInOrder(
      this.#pages<AttemptedTuple<string | Uint8Array>>(
        selection,
        () => `SELECT ${columns}, ${glimpseColumns}, ${body} FROM event ${this.keys().join}`,
      ),
      (a, b) => (a[TRY] ?? 0) - (b[TRY] ?? 0),
    );
  }

  /**
   * The URL to which attempts were sent, by their `target`.
   * @throws StoreError `recording-damaged` when the target has no row
   */
  readonly urlOf = (target: number | null): string => {
    let url = this.#urls.get(target);
    if (url === undefined) {
      const found = this.#source.value<string>("SELECT url FROM target WHERE row = ?", target ?? 0);
      url = this.#source.read(() => urlIn(found));
      this.#urls.set(target, url);
    }
    return url;
  };

  /** Access to attempts, including those recorded since the last page. */
  readonly keys = (): AttemptKeys =>
    this.#source.read(() => {
      const keys = (this.#keys ??= new AttemptKeys(this.#source.database));
      keys.addNewAttempts();
      return keys;
    });

  /** @param from - the query of all events; called for each page */
  *#pages<Tuple extends EventTuple | AttemptedTuple<unknown>>(
    selection: EventSelection,
    from: () => string,
  ): Generator<Tuple[]> {
    const { database } = this.#source;
    const range = this.#source.read(() => rangeOf(database, selection));
    const lastRow = (): number =>
      Math.min(
        range.last,
        this.#source.read(() => lastEventRow(database)),
      );
    const rows = this.#source.read(() =>
      narrowedRows(database, this.keys, selection, { first: range.first, last: lastRow() }),
    );
    const condition = conditionOf(database, this.keys, selection);
    const read = (place: string, values: readonly (string | number)[]): Tuple[] => {
      const select = `${from()} WHERE ${place}${condition.sql} ORDER BY event.row`;
      const page = this.#source.prepare<unknown[], Tuple>(select, "tuple");
      return this.#source.read(() => page.all(...values, ...condition.values));
    };
    try {
      if (rows !== undefined) {
        for (let index = 0; index < rows.length; index += SEARCHED.min) {
          const wanted = rows.slice(index, index + SEARCHED.min);
          const page = read(`event.row IN ${LIST}`, [JSON.stringify(wanted)]);
          this.#source.report("event", index + wanted.length, rows.length);
          if (page.length > 0) yield page;
        }
        return;
      }
      let searched: number = SEARCHED.min;
      let last = lastRow();
      for (let next: number | undefined = range.first; next !== undefined && next <= range.last;) {
        // At most the last row: otherwise the next page would skip rows that a writer adds after this query.
        const until: number = Math.min(last, next - 1 + searched);
        const page = read("event.row BETWEEN ? AND ?", [next, until]);
        searched = page.length > SEARCHED.min / 2 ? SEARCHED.min : Math.min(SEARCHED.max, 2 * searched);
        last = lastRow();
        const total = Math.max(0, last - range.first + 1);
        this.#source.report("event", Math.min(total, until - range.first + 1), total);
        if (page.length > 0) yield page;
        next = this.#source.read(() => firstRowAfter(database, until));
      }
    } finally {
      condition.end();
    }
  }
}

/** Groups the tuples of pieces by event. @param urlOf - the URL of a target */
export function* recordedEvents(
  pieces: Iterable<readonly AttemptedTuple<Uint8Array>[]>,
  urlOf: (target: number | null) => string,
): Generator<RecordedEvent> {
  for (const piece of pieces) {
    for (let index = 0; index < piece.length;) {
      const tuple = piece[index] as AttemptedTuple<Uint8Array>;
      const attempts: AttemptGlimpse[] = [];
      for (; piece[index]?.[0] === tuple[0]; index++) {
        const attempt = glimpseFrom(piece[index] as AttemptedTuple<Uint8Array>, urlOf);
        if (attempt !== undefined) attempts.push(attempt);
      }
      // No spread: it costs more than reading the row from the file.
      const { row, channel, number, atMs, type, body, subject, copy } = eventFrom(tuple as unknown as EventTuple);
      yield { row, channel, number, atMs, type, body, subject, copy, attempts };
    }
  }
}

function glimpseFrom(
  tuple: AttemptedTuple<Uint8Array>,
  urlOf: (target: number | null) => string,
): AttemptGlimpse | undefined {
  const [tryNumber, target] = [tuple[TRY], tuple[10]];
  if (tryNumber === null) return undefined;
  return {
    try: tryNumber,
    url: urlOf(target),
    dueAtMs: tuple[11],
    effectAtMs: tuple[12],
    status: tuple[13],
    error: tuple[14],
    outcome: tuple[15],
    durationMs: tuple[16],
    latencyMs: tuple[17],
    sentWallMs: tuple[18],
    body: tuple[19],
  };
}

function rangeOf(database: RowSource["database"], { fromMs, toMs }: EventSelection): RowRange {
  return {
    first: fromMs === undefined ? 1 : firstRowFrom(database, Math.ceil(fromMs)),
    last: toMs === undefined ? ALL_ROWS : firstRowFrom(database, Math.floor(toMs) + 1) - 1,
  };
}

/** The columns that determine the order of events. */
type PlacedTuple = readonly [row: number, channel: number, number: number, atMs: number, ...rest: unknown[]];

/**
 * Events in the order (virtual time, channel, number). Rows are ordered by time, so lists of whole instants are sorted
 * separately. The last instant of a page may continue in the next page, so its events wait for that.
 *
 * @param pages - none of them empty
 * @param within - the order of the tuples of one event, where it has several
 */
function* eventsInOrder<Tuple extends PlacedTuple>(
  pages: Iterable<readonly Tuple[]>,
  within: (a: Tuple, b: Tuple) => number = () => 0,
): Generator<Tuple[]> {
  const inOrder = (events: Tuple[]): Tuple[] =>
    events.sort((a, b) => a[3] - b[3] || a[1] - b[1] || a[2] - b[2] || within(a, b));
  let waiting: Tuple[] = [];
  for (const page of pages) {
    waiting = waiting.concat(page);
    const lastAtMs = waiting.at(-1)?.[3];
    const whole = waiting.splice(
      0,
      waiting.findIndex((event) => event[3] === lastAtMs),
    );
    if (whole.length > 0) yield inOrder(whole);
  }
  if (waiting.length > 0) yield inOrder(waiting);
}
