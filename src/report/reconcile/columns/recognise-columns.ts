import { type ColumnRole, columnRoles, type ColumnsByRole, type GivenColumns, NO_COLUMN } from "./column-roles.js";
import { ColumnSearch, type RecordedFacts } from "./column-search.js";
import { findIdColumn, findNumberColumn } from "./find-key-column.js";
import { findPhoneColumn, guessPhoneColumn } from "./find-phone-column.js";
import { findTextColumn, guessTextColumn } from "./find-text-column.js";
import { findTimeColumn, guessTimeColumn } from "./find-time-column.js";
import type { LogSample } from "./log-sample.js";

/** Which columns a log has. */
export interface Recognition {
  readonly columns: ColumnsByRole;
  /** Why a role has no column. */
  readonly absent: Readonly<Partial<Record<ColumnRole, string | undefined>>>;
  readonly warnings: readonly string[];
}

type Finder = (search: ColumnSearch) => string | undefined;

/** Finders by contents, then by name or form. Ids and numbers come first, because they identify the events of rows. */
const finders: readonly (readonly [role: ColumnRole, find: Finder])[] = [
  ["id", findIdColumn],
  ["number", findNumberColumn],
  ["phone", findPhoneColumn],
  ["text", findTextColumn],
  ["time", findTimeColumn],
  ["phone", guessPhoneColumn],
  ["text", guessTextColumn],
  ["time", guessTimeColumn],
];

/**
 * Finds the columns by their contents, or by their names where contents are inconclusive.
 *
 * @param given - columns that the user named, and the type column (`findTypeColumn`)
 */
export function recogniseColumns(sample: LogSample, facts: RecordedFacts, given: GivenColumns): Recognition {
  const search = new ColumnSearch(sample, facts, given);
  for (const [role, find] of sample.rows.length === 0 ? [] : finders) {
    const column = given[role] === undefined && search.columns[role] === undefined ? find(search) : undefined;
    if (column !== undefined) search.found(role, column);
  }
  for (const role of columnRoles) {
    if (search.columns[role] !== undefined) continue;
    search.absent[role] ??= sample.rows.length === 0 ? "the log has no rows" : NO_COLUMN;
  }
  const { columns, absent, warnings } = search;
  return { columns, absent, warnings };
}
