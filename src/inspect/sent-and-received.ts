import { statSync } from "node:fs";
import { LabError } from "../base/index.js";
import {
  type ColumnRole,
  columnRoles,
  type ColumnsByRole,
  type GivenColumns,
  ReceivedTable,
  type Reconciliation,
  reconcileSent,
  type SentEvent,
  splitPostedBodies,
} from "../report/index.js";
import { readLog } from "./received-log/read-log.js";

/** Largest distance between the times of a row and its event: milliseconds. */
const WINDOW_MS = 60_000;

/** A receiver's log or table, and how it is read. */
export interface LogSource {
  readonly file: string;
  /** SQL query; required for a SQLite file, refused for others. */
  readonly query?: string | undefined;
}

/** How rows are compared with events; absent: recognised by their contents. */
export interface ComparedBy {
  readonly columns: ColumnsByRole;
  readonly types: readonly string[];
}

/** The rows that a log has. A file that does not exist, or that is empty, has none. @throws LabError */
export async function logRows(source: LogSource): Promise<number> {
  return (await tableOf(source)).rowCount;
}

/** Whether the file of a log exists. */
export function hasLog({ file }: LogSource): boolean {
  return statSync(file, { throwIfNoEntry: false }) !== undefined;
}

/**
 * Compares a receiver's log with events that were sent without a recording.
 *
 * @param by - the columns and types; a role without a column has none
 * @throws LabError `bad-options` for a log whose rows cannot be matched, `not-read`
 */
export async function compareSent(
  source: LogSource,
  sent: readonly SentEvent[],
  { by, types }: { readonly by?: ComparedBy | undefined; readonly types?: readonly string[] | undefined } = {},
): Promise<Omit<Reconciliation, "common">> {
  const table = await tableOf(source);
  splitPostedBodies(table);
  const given: GivenColumns =
    by === undefined ? {} : Object.fromEntries(columnRoles.map((role) => [role, by.columns[role] ?? null]));
  return reconcileSent(sent, table, {
    log: source.file,
    given,
    types: by?.types ?? types,
    timezone: "UTC",
    windowMs: WINDOW_MS,
    onProgress: undefined,
  });
}

/** Columns by role, as one text: `number=sms,phone=msisdn`. */
export function columnsText(columns: ColumnsByRole): string {
  return columnRoles
    .flatMap((role) => {
      const column = columns[role];
      return column === undefined ? [] : [`${role}=${column}`];
    })
    .join(",");
}

/** Reads `columnsText`. @throws LabError `bad-options` for a word that is no role */
export function readColumnsText(text: string): ColumnsByRole {
  const pairs = text.split(",").map((pair) => pair.trim().split(/=(.*)/s));
  const isRole = (role: string): role is ColumnRole => (columnRoles as readonly string[]).includes(role);
  return Object.fromEntries(
    pairs.map(([role = "", column = ""]) => {
      if (isRole(role)) return [role, column];
      throw new LabError("bad-options", `columns: '${role}' is not a role of a column`, {
        hint: `write one of ${columnRoles.map((one) => `${one}=COLUMN`).join(", ")}`,
      });
    }),
  );
}

async function tableOf({ file, query }: LogSource): Promise<ReceivedTable> {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats === undefined || stats.size === 0) return new ReceivedTable();
  return (await readLog(file, { query, onProgress: undefined })).table;
}
