import { LabError, type OnProgress } from "../base/index.js";
import {
  type ColumnRole,
  columnRoles,
  type GivenColumns,
  reconcile,
  type Reconciliation,
  splitPostedBodies,
} from "../report/index.js";
import { openRecording, type RecordingReader } from "../store/index.js";
import { isTimezone } from "../wire/index.js";
import { knownType } from "./event-filter.js";
import { scenarioOf } from "./recorded-scenario.js";
import { readLog } from "./received-log/read-log.js";

/** How to read a receiver's log, and which rows match an event. */
export interface ReconcileOptions {
  /** SQL query that reads the log; required for a SQLite file, refused for others. */
  readonly query?: string | undefined;
  /** Columns by role, such as `phone=msisdn`, or `phone=none`; the others are recognised by their contents and names. */
  readonly columns?: readonly string[] | undefined;
  /** Time zone of times without one; default UTC. */
  readonly timezone?: string | undefined;
  /** Time difference up to which a row matches an event; default one minute. */
  readonly windowMs?: number | undefined;
  /** Event types to compare; default: those that the log names, else `mo_sms`. */
  readonly types?: readonly string[] | undefined;
  /** Key file of the pseudonyms that the recording's source was imported with. */
  readonly key?: string | undefined;
  /** Called often, because the work blocks the thread. */
  readonly onProgress?: OnProgress | undefined;
}

/**
 * Compares a receiver's log with the deliveries in a recording.
 *
 * @throws LabError `bad-options`, `not-read`; StoreError
 */
export async function reconcileLog(path: string, log: string, options: ReconcileOptions = {}): Promise<Reconciliation> {
  const { query, timezone = "UTC", windowMs = 60_000, types, onProgress } = options;
  if (!isTimezone(timezone)) {
    throw new LabError("bad-options", `--timezone: '${timezone}' is not a time zone`, {
      hint: "write UTC or Africa/Kigali",
    });
  }
  const recording = openRecording(path);
  try {
    const { table, warnings } = await readLog(log, { query, timezone, key: options.key, onProgress });
    splitPostedBodies(table);
    const result = reconcile(recording, table, {
      log,
      given: givenColumns(options.columns ?? [], { names: table.names, log }),
      types: types?.map((type) => knownType(recording, type)),
      timezone,
      windowMs,
      zone: zoneOf(recording),
      onProgress,
    });
    return { ...result, warnings: [...warnings, ...result.warnings] };
  } finally {
    recording.close();
  }
}

/** The scenario's time zone; UTC if this version cannot read the scenario. */
function zoneOf(recording: RecordingReader): string {
  try {
    return scenarioOf(recording.meta(), recording.path).cast.timezone;
  } catch {
    return "UTC";
  }
}

function givenColumns(
  pairs: readonly string[],
  { names, log }: { readonly names: readonly string[]; readonly log: string },
): GivenColumns {
  const columns: Partial<Record<ColumnRole, string | null>> = {};
  for (const pair of pairs) {
    const [role = "", column = ""] = pair.split(/=(.*)/s);
    const known = columnRoles.find((one) => one === role);
    if (known === undefined) {
      throw new LabError("bad-options", `--columns ${pair}: '${role}' is not a role of a column`, {
        hint: `write one of ${columnRoles.map((one) => `${one}=COLUMN`).join(", ")}`,
      });
    }
    if (column === "none") columns[known] = null;
    else if (names.includes(column) || names.length === 0) columns[known] = column;
    else {
      throw new LabError("bad-options", `--columns ${pair}: ${log} has no column '${column}'`, {
        hint: `it has ${names.join(", ")}; ${known}=none if it has none for this role`,
      });
    }
  }
  return columns;
}
