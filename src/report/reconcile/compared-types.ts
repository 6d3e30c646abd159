import type { GivenColumns } from "./columns/column-roles.js";
import { LogSample } from "./columns/log-sample.js";
import type { ReceivedTable } from "./log/received-table.js";
import { findTypeColumn } from "./columns/find-type-column.js";
import type { SentEvents } from "./events/sent-events.js";

/** The event types that are compared, and the rows of these types. */
export interface ComparedTypes {
  readonly types: ReadonlySet<string>;
  /** Undefined: rows have no type. */
  readonly typeColumn: string | undefined;
  readonly rows: readonly number[];
}

/**
 * Given types leave out the rows of others. Without them, the types are those in the log, or mo_sms if its rows have
 * none.
 *
 * @param options - `types`: the given ones
 */
export function comparedTypes(
  table: ReceivedTable,
  events: SentEvents,
  { given, types }: { readonly given: GivenColumns; readonly types: readonly string[] | undefined },
): ComparedTypes {
  const all = Array.from({ length: table.rowCount }, (_, row) => row);
  const typeColumn = findTypeColumn(new LogSample(table), { recorded: events.types, given });
  const values = typeColumn === undefined ? [] : table.column(typeColumn);
  const typeOf = (row: number): string => values[row]?.trim().toLowerCase() ?? "";
  if (types !== undefined) {
    const wanted = new Set(types);
    const isWanted = (row: number): boolean => typeOf(row) === "" || wanted.has(typeOf(row));
    return { types: wanted, typeColumn, rows: typeColumn === undefined ? all : all.filter(isWanted) };
  }
  const named = new Set(typeColumn === undefined ? [] : all.map(typeOf));
  named.delete("");
  return { types: named.size === 0 ? new Set(["mo_sms"]) : named, typeColumn, rows: all };
}
