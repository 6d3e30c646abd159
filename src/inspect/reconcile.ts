import { DateTime, IANAZone } from "luxon";
import { LabError } from "../base/index.js";
import {
  columnRoles,
  type Columns,
  findColumns,
  normalizePhone,
  type ReceivedRow,
  reconcile,
  type Reconciliation,
  withPostedBody,
} from "../report/index.js";
import { openRecording } from "../store/index.js";
import { readLog } from "./received-log.js";

/** How to read a receiver's log, and which rows match an event. */
export interface ReconcileOptions {
  /** SQL query that reads the log; required for a SQLite file, refused for others. */
  readonly query?: string | undefined;
  /** Columns by role, such as `phone=msisdn`; the others are found by their names. */
  readonly columns?: readonly string[] | undefined;
  /** Time zone of times without one; default UTC. */
  readonly timezone?: string | undefined;
  /** Time difference up to which a row matches an event; default one minute. */
  readonly windowMs?: number | undefined;
  readonly types?: readonly string[] | undefined;
}

/** Rows that are read to find the columns. */
const SAMPLE = 100;

/**
 * Compares a receiver's log with the deliveries in a recording.
 *
 * @throws LabError `bad-options`, `not-read`; StoreError
 */
export async function reconcileLog(path: string, log: string, options: ReconcileOptions): Promise<Reconciliation> {
  const { timezone = "UTC", windowMs = 60_000, types } = options;
  if (!IANAZone.isValidZone(timezone)) {
    throw new LabError("bad-options", `--timezone: '${timezone}' is not a time zone`, {
      hint: "write UTC or Africa/Kigali",
    });
  }
  const recording = openRecording(path);
  try {
    const raw = (await readLog(log, options.query)).map(withPostedBody);
    const columns = findColumns(raw.slice(0, SAMPLE), givenColumns(options.columns ?? [], raw[0], log));
    if (raw.length > 0) requireColumns(columns, raw[0] ?? {}, log);
    const rows = raw.map((row, index) => receivedRow(row, index + 1, { columns, timezone, log }));
    return reconcile(recording, rows, { types, windowMs });
  } finally {
    recording.close();
  }
}

function givenColumns(
  given: readonly string[],
  first: Readonly<Record<string, string>> | undefined,
  log: string,
): Columns {
  const columns: Columns = {};
  for (const pair of given) {
    const [role = "", column = ""] = pair.split(/=(.*)/s);
    const known = columnRoles.find((one) => one === role);
    if (known === undefined) {
      throw new LabError("bad-options", `--columns ${pair}: '${role}' is not a role of a column`, {
        hint: `write one of ${columnRoles.map((one) => `${one}=COLUMN`).join(", ")}`,
      });
    }
    if (first !== undefined && !(column in first)) {
      throw new LabError("bad-options", `--columns ${pair}: ${log} has no column '${column}'`, {
        hint: `it has ${Object.keys(first).join(", ")}`,
      });
    }
    columns[known] = column;
  }
  return columns;
}

function requireColumns(columns: Columns, first: Readonly<Record<string, string>>, log: string): void {
  const isEnough =
    columns.id !== undefined ||
    columns.number !== undefined ||
    (columns.phone !== undefined && columns.text !== undefined);
  if (isEnough) return;
  throw new LabError("bad-options", `${log} has no column for an event's id or number, and none for phone and text`, {
    hint: `it has ${Object.keys(first).join(", ")}; name their roles: --columns phone=COLUMN,text=COLUMN,time=COLUMN`,
  });
}

function receivedRow(
  raw: Readonly<Record<string, string>>,
  row: number,
  { columns, timezone, log }: { readonly columns: Columns; readonly timezone: string; readonly log: string },
): ReceivedRow {
  const of = (role: keyof Columns): string | undefined => {
    const value = raw[columns[role] ?? ""];
    return value === "" ? undefined : value;
  };
  const [number, phone, time] = [of("number"), of("phone"), of("time")];
  return {
    row,
    id: of("id"),
    number: number === undefined ? undefined : Number(number),
    type: of("type"),
    phone: phone === undefined ? undefined : normalizePhone(phone),
    text: of("text"),
    timeMs: time === undefined ? undefined : instantOf(time, timezone, `${log}, row ${row}`),
  };
}

/** Milliseconds or seconds since 1970, ISO 8601, or `2026-03-04 06:00:00` as databases write it. */
function instantOf(text: string, zone: string, where: string): number {
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) < 1e11 ? Number(text) * 1000 : Number(text);
  for (const read of [
    DateTime.fromISO(text, { zone }),
    DateTime.fromSQL(text, { zone }),
    DateTime.fromHTTP(text, { zone }),
  ]) {
    if (read.isValid) return read.toMillis();
  }
  throw new LabError("bad-options", `${where}: '${text}' is not a time`, {
    hint: "write ISO 8601, 2026-03-04 06:00:00, or seconds or milliseconds since 1970; --columns time=COLUMN names another column",
  });
}
