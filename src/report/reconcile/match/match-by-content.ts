import type { OnProgress } from "../../../base/index.js";
import { readableDuration } from "../../number-format.js";
import { clocksByFit } from "./clocks-by-fit.js";
import { groupBy } from "../group-by.js";
import { type ReceiverClock, clocksOf, EventsInTime, inTime, matchByTime } from "./match-by-time.js";
import type { Matches, RowMatches, UnknownRow } from "./matches.js";
import type { ReceivedRows } from "../log/received-rows.js";
import type { SentEvents } from "../events/sent-events.js";
import { looseText } from "../text-changes.js";

/** A row with a changed text or phone matches an event within this distance before any other within the window. */
const NEAR_MS = 1000;

/** Keys of texts that are not in the recording's dictionary. */
const [NO_TEXT, OTHER_TEXT] = [-1, -2];

/** How rows are matched by their content. */
export interface ContentRules {
  readonly matches: Matches;
  readonly received: ReceivedRows;
  readonly windowMs: number;
  /** Gets a row that repeats the row of an event. */
  readonly onDouble: (event: number, row: number) => void;
  readonly onProgress: OnProgress | undefined;
}

/**
 * Matches rows and events that are near in time: first those with the same phone and text, then those with the same
 * phone and a changed text, last those with the same text and a changed phone.
 *
 * @param rows - the rows that no id or number has matched
 * @param list - the events of the compared types
 */
export function matchByContent(rows: readonly number[], list: readonly number[], rules: ContentRules): RowMatches {
  return new ContentMatching(rows, list, rules).run();
}

/** The rows and events of one person; also of one type if the rows have types. */
interface Person {
  readonly rows: number[];
  readonly events: number[];
}

class ContentMatching {
  readonly #rules: ContentRules;
  readonly #events: SentEvents;
  readonly #list: readonly number[];
  readonly #timesMs: Float64Array;
  readonly #persons = new Map<number, Person>();
  /** Rows whose phone is not in the recording. */
  readonly #strangers: number[] = [];
  /** Rows with the phone and text of an event at another time. */
  readonly #untimely: UnknownRow[] = [];
  #clocks: readonly ReceiverClock[];

  constructor(rows: readonly number[], list: readonly number[], rules: ContentRules) {
    this.#rules = rules;
    this.#events = rules.matches.events;
    this.#list = list;
    this.#clocks = clocksOf(this.#events);
    this.#timesMs = new Float64Array((rows.at(-1) ?? -1) + 1).fill(NaN);
    for (const row of rows) this.#addRow(row);
    for (const event of list) this.#addEvent(event);
  }

  run(): RowMatches {
    const { received, onProgress } = this.#rules;
    const warnings = received.has("time") ? this.#orderClocks() : [];
    const total = this.#persons.size;
    let done = 0;
    for (const person of this.#persons.values()) {
      for (const row of this.#matchPerson(person)) this.#strangers.push(row);
      if (++done % 100 === 0) onProgress?.({ operation: "matching phones", done, total });
    }
    const unknown = received.has("text") ? this.#matchPhones() : this.#strangers;
    return { unknown: [...this.#untimely, ...unknown.map((row) => ({ row }))], warnings };
  }

  #addRow(row: number): void {
    const { received } = this.#rules;
    this.#timesMs[row] = received.timeMs(row) ?? NaN;
    const phone = received.phoneNumber(row);
    const type = received.has("type") ? this.#events.types.indexOf(received.type(row) ?? "") : 0;
    if (phone === undefined || type === -1) {
      this.#strangers.push(row);
      return;
    }
    const key = this.#personKey(phone, type);
    const person = this.#persons.get(key);
    if (person === undefined) this.#persons.set(key, { rows: [row], events: [] });
    else person.rows.push(row);
  }

  #addEvent(event: number): void {
    if (!this.#events.isSent(event)) return;
    const type = this.#rules.received.has("type") ? this.#events.typeIndex(event) : 0;
    this.#persons.get(this.#personKey(this.#events.phoneIndex(event), type))?.events.push(event);
  }

  #personKey(phone: number, type: number): number {
    return phone * this.#events.types.length + type;
  }

  /** @returns the rows that match no event */
  #matchPerson({ rows, events }: Person): readonly number[] {
    const sorted = inTime(rows, this.#timesMs);
    if (!this.#rules.received.has("text")) return this.#matchEqual(sorted, events);
    let left = this.#matchGroups(sorted, events, {
      keyOfRow: (row) => this.#textOfRow(row),
      keyOfEvent: (event) => (this.#events.text(event) === "" ? NO_TEXT : this.#events.textIndex(event)),
      match: (some, candidates) => this.#withoutUntimely(this.#matchEqual(some, candidates), candidates),
    });
    if (left.length === 0) return left;
    left = this.#matchGroups(left, this.#missing(events), {
      keyOfRow: (row) => looseText(this.#rules.received.text(row) ?? ""),
      keyOfEvent: (event) => looseText(this.#events.text(event) ?? ""),
      match: (some, candidates) => this.#match(some, candidates),
    });
    return this.#matchChanged(left, this.#missing(events));
  }

  /** Matches rows and events of the same text. @returns the rows that match no event, and repeat none */
  #matchEqual(rows: readonly number[], events: readonly number[]): readonly number[] {
    const { matches, windowMs, onDouble } = this.#rules;
    const left = this.#match(rows, events);
    if (left.length === 0) return left;
    const matched = new EventsInTime(
      events.filter((event) => matches.row(event) !== -1),
      this.#clocks,
    );
    return left.filter((row) => {
      const event = matched.near(this.#timesMs[row] ?? NaN, windowMs);
      if (event !== undefined) onDouble(event, row);
      return event === undefined;
    });
  }

  /** Leaves out rows whose own event is missing: matching them with another event near their time would be wrong. */
  #withoutUntimely(rows: readonly number[], events: readonly number[]): readonly number[] {
    const [clock] = this.#clocks;
    const missing = rows.length === 0 ? [] : this.#missing(events);
    if (missing.length === 0 || clock === undefined) return rows;
    const inTime = new EventsInTime(missing, this.#clocks);
    for (const row of rows) {
      const why = (): string | undefined => {
        const timeMs = this.#timesMs[row] ?? NaN;
        const event = inTime.nearest(timeMs, clock);
        return event === undefined ? undefined : untimelyText(this.#events.key(event), timeMs - clock.from(event));
      };
      this.#untimely.push({ row, why });
    }
    return [];
  }

  /**
   * Matches rows and events that differ in text or phone: the nearest first. Without times, they are matched in their order
   * if there are as many rows as events.
   */
  #matchChanged(rows: readonly number[], events: readonly number[]): readonly number[] {
    if (rows.length === 0 || events.length === 0) return rows;
    const { windowMs, matches } = this.#rules;
    const isTimed = (row: number): boolean => !Number.isNaN(this.#timesMs[row]);
    const timed = rows.filter(isTimed);
    const left = this.#match(this.#match(timed, events, Math.min(NEAR_MS, windowMs)), events);
    if (timed.length === rows.length) return left;
    const untimed = rows.filter((row) => !isTimed(row));
    const missing = this.#missing(events);
    if (untimed.length !== missing.length) return [...left, ...untimed];
    missing.forEach((event, index) => matches.match(event, untimed[index] ?? -1));
    return left;
  }

  /**
   * Matches rows with unknown phones by text, because their phone was changed.
   * @returns the rows that match no event
   */
  #matchPhones(): readonly number[] {
    const { received } = this.#rules;
    if (this.#strangers.length === 0) return [];
    const typeOf = received.has("type") ? (event: number): string => this.#events.type(event) : (): string => "";
    const missing = this.#missing(this.#list).filter((event) => (this.#events.text(event) ?? "") !== "");
    return this.#matchGroups(inTime(this.#strangers, this.#timesMs), missing, {
      keyOfRow: (row) => `${received.type(row) ?? ""} ${received.text(row) ?? ""}`,
      keyOfEvent: (event) => `${typeOf(event)} ${this.#events.text(event) ?? ""}`,
      match: (some, candidates) => this.#matchChanged(some, candidates),
    });
  }

  /** Matches the rows and events of each key. @returns the rows that match no event */
  #matchGroups<Key>(
    rows: readonly number[],
    events: readonly number[],
    {
      keyOfRow,
      keyOfEvent,
      match,
    }: {
      readonly keyOfRow: (row: number) => Key;
      readonly keyOfEvent: (event: number) => Key;
      readonly match: (rows: readonly number[], events: readonly number[]) => readonly number[];
    },
  ): readonly number[] {
    if (rows.length === 0 || events.length === 0) return rows;
    const groups = groupBy(events, keyOfEvent);
    const left: number[] = [];
    for (const [key, some] of groupBy(rows, keyOfRow)) {
      for (const row of match(some, groups.get(key) ?? [])) left.push(row);
    }
    return inTime(left, this.#timesMs);
  }

  #match(rows: readonly number[], events: readonly number[], windowMs = this.#rules.windowMs): readonly number[] {
    const { matches } = this.#rules;
    return matchByTime(rows, events, { matches, timesMs: this.#timesMs, clocks: this.#clocks, windowMs });
  }

  #missing(events: readonly number[]): readonly number[] {
    return events.filter((event) => this.#rules.matches.isMissing(event));
  }

  #textOfRow(row: number): number {
    const text = this.#rules.received.text(row) ?? "";
    if (text === "") return NO_TEXT;
    const index = this.#events.texts.numberOf(text);
    return index === -1 ? OTHER_TEXT : index;
  }

  /**
   * Sorts the clocks: the one that fits the log's times best is tried first.
   * @returns a warning if none fits
   */
  #orderClocks(): readonly string[] {
    const { clocks, warning } = clocksByFit(this.#alikeGroups(), {
      clocks: this.#clocks,
      timesMs: this.#timesMs,
      windowMs: this.#rules.windowMs,
    });
    this.#clocks = clocks;
    return warning === undefined ? [] : [warning];
  }

  /** Rows and events with the same phone, and the same text if the log has texts. */
  *#alikeGroups(): Generator<Person> {
    for (const { rows, events } of this.#persons.values()) {
      if (!this.#rules.received.has("text")) {
        yield { rows, events };
        continue;
      }
      const byText = groupBy(events, (event) => this.#events.textIndex(event));
      for (const [text, some] of groupBy(rows, (row) => this.#textOfRow(row))) {
        yield { rows: some, events: byText.get(text) ?? [] };
      }
    }
  }
}

function untimelyText(key: string, offsetMs: number): string {
  const way = offsetMs > 0 ? "later" : "earlier";
  return `has the phone and text of event ${key}, but its time is ${readableDuration(Math.abs(offsetMs))} ${way}`;
}
