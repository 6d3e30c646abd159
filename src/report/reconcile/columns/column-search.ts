import type { RecordedPhones } from "../events/recorded-phones.js";
import type { SentEvents } from "../events/sent-events.js";
import type { InstantReader } from "../../../wire/index.js";
import { type ColumnRole, columnRoles, type ColumnsByRole, type GivenColumns, nameRank } from "./column-roles.js";
import type { LogSample } from "./log-sample.js";

/** Share of values that recognises a column by its contents. */
export const MOST = 0.5;
/** Share of values that recognises a column if no column reaches `MOST`. */
export const SOME = 0.1;
/** Share of values that must have the form of a role: a few may be damaged. */
export const NEARLY_ALL = 0.9;

/** Facts of the recording that are compared with the contents of columns. */
export interface RecordedFacts {
  readonly events: SentEvents;
  /** The events of the compared types. */
  readonly list: readonly number[];
  readonly phones: RecordedPhones;
  readonly instants: InstantReader;
  readonly windowMs: number;
}

/** State of a search for columns: the columns found so far, and the events that the rows of the sample refer to. */
export class ColumnSearch {
  readonly sample: LogSample;
  readonly facts: RecordedFacts;
  /** Events by row of the sample, from the row's id or number. */
  readonly linked = new Map<number, number>();
  readonly warnings: string[] = [];
  readonly absent: Partial<Record<ColumnRole, string | undefined>> = {};
  readonly #columns: Partial<Record<ColumnRole, string>> = {};

  constructor(sample: LogSample, facts: RecordedFacts, given: GivenColumns) {
    this.sample = sample;
    this.facts = facts;
    for (const role of columnRoles) {
      const column = given[role];
      if (column === null) this.absent[role] = `switched off by --columns ${role}=none`;
      else if (column !== undefined) this.found(role, column);
    }
  }

  get columns(): ColumnsByRole {
    return this.#columns;
  }

  /** Gives a column its role. */
  found(role: ColumnRole, column: string): void {
    this.#columns[role] = column;
    if (role === "id") {
      for (const { row, text } of this.sample.cells(column)) this.#link(row, this.facts.events.withKey(text.trim()));
    } else if (role === "number") {
      const events = this.eventsByNumber([column]);
      for (const { row, text } of this.sample.cells(column)) this.#link(row, events.get(Number(text)));
    }
  }

  /** Columns without a role, those with a usual name for the role first. */
  unused(role: ColumnRole): string[] {
    const taken = new Set(Object.values(this.#columns));
    const unused = this.sample.columns.filter((column) => !taken.has(column));
    const ranked = unused.map((column) => ({ column, rank: nameRank(role, column) }));
    return ranked.sort((a, b) => (a.rank === b.rank ? 0 : a.rank - b.rank)).map(({ column }) => column);
  }

  /** Columns without a role that have values; columns with a usual name for the role first. */
  free(role: ColumnRole): string[] {
    return this.unused(role).filter((column) => this.sample.cells(column).length > 0);
  }

  /** Share of the rows with a known event for which `isTrue` holds, given the value and the event. */
  linkedShare(column: string, isTrue: (text: string, event: number) => boolean): number {
    let count = 0;
    for (const [row, event] of this.linked) if (isTrue(this.sample.at(column, row), event)) count++;
    return this.linked.size === 0 ? 0 : count / this.linked.size;
  }

  /** Events by the numbers in some columns; for a number of several events, the first one. */
  eventsByNumber(columns: readonly string[]): ReadonlyMap<number, number> {
    const wanted = new Set(columns.flatMap((column) => this.sample.cells(column).map(({ text }) => Number(text))));
    const found = new Map<number, number>();
    const { events } = this.facts;
    for (let event = 0; event < events.count && wanted.size > found.size; event++) {
      const subject = events.subject(event);
      if (wanted.has(subject) && !found.has(subject)) found.set(subject, event);
    }
    return found;
  }

  /** Warns if another column fits a role, too, and differs from the chosen one. */
  warnOfOther(
    role: "phone" | "text",
    chosen: string,
    { fitting, normalise }: { readonly fitting: readonly string[]; readonly normalise: (text: string) => string },
  ): void {
    const other = fitting.find(
      (column) =>
        column !== chosen &&
        this.sample.rows.some((row) => {
          const values = [chosen, column].map((one) => normalise(this.sample.at(one, row)));
          return values[0] !== values[1];
        }),
    );
    if (other === undefined) return;
    this.warnings.push(
      `columns '${chosen}' and '${other}' both hold ${role}s of events, and differ; '${chosen}' is compared ` +
        `(--columns ${role}=${other} compares the other)`,
    );
  }

  #link(row: number, event: number | undefined): void {
    if (event !== undefined && !this.linked.has(row)) this.linked.set(row, event);
  }
}

/** The value with the lowest rank; the first of equal ones. */
export function firstBy<Value>(values: readonly Value[], rankOf: (value: Value) => number): Value | undefined {
  let best: { readonly value: Value; readonly rank: number } | undefined;
  for (const value of values) {
    const rank = rankOf(value);
    if (best === undefined || rank < best.rank) best = { value, rank };
  }
  return best?.value;
}
