import { DeferredRows } from "../account/deferred-rows.js";
import type { AccountTables } from "../../account/index.js";
import { accountTables } from "../account/tables.js";
import type { Connection, Statement } from "../sqlite/connection.js";
import { storeError } from "../sqlite/errors.js";
import type { Cell } from "../writer/writer.js";
import type { InsertedEvent } from "./journal-rows.js";
import { emptyDatabase } from "./recording-file.js";

type Write = (statement: Statement, cells: readonly Cell[]) => void;

/**
 * The account's tables for a run that is re-executed. A run starts with an empty account, so the tables read
 * from an empty database; they write to the recording's.
 */
export function tablesOfNewRun(database: Connection, write: Write): AccountTables {
  const ours = new Map<Statement, Statement>();
  const oursOf = (statement: Statement): Statement => {
    const known = ours.get(statement) ?? database.prepare(statement.source);
    ours.set(statement, known);
    return known;
  };
  return accountTables({
    database: emptyDatabase(),
    write: (statement, ...cells) => write(oursOf(statement), cells),
    deferred: new DeferredRows(),
  });
}

/**
 * Compares rows of a re-executed run with the recorded ones: events must have the same channel, number, time and
 * body; rows of other tables are not compared.
 *
 * @param eventIn - the event that a statement inserts; undefined: it inserts something else
 * @returns a comparison that throws a StoreError `not-the-same` for an event that differs
 */
export function eventComparison(
  { database, path }: { readonly database: Connection; readonly path: string },
  eventIn: (statement: Statement, cells: readonly Cell[]) => InsertedEvent | undefined,
): Write {
  const recordedAt = database.prepare<[number], Omit<InsertedEvent, "row">>(
    "SELECT channel, number, at_ms AS atMs, body FROM event WHERE row = ?",
  );
  return (statement, cells) => {
    const event = eventIn(statement, cells);
    if (event === undefined) return;
    const { channel, number, atMs, body } = event;
    const recorded = recordedAt.get(event.row);
    const isSame = recorded?.channel === channel && recorded.number === number;
    if (!isSame || recorded.atMs !== atMs || recorded.body !== body) throw storeError("not-the-same", path, "write");
  };
}
