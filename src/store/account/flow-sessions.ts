import type { SessionRow, SessionTable } from "../../account/index.js";
import { Counter, replaceInto, type SqlWriter } from "./sql-writer.js";

interface StoredSession {
  readonly id: number;
  readonly contact: number;
  readonly state: string;
}

/** Sessions of flows that have not ended, in SQLite. */
export function flowSessionTable({ database, write, deferred }: SqlWriter): SessionTable {
  const all = database.prepare<[], StoredSession>("SELECT id, contact, state FROM flow_session ORDER BY id");
  const put = database.prepare(replaceInto("flow_session", ["id", "contact", "state"]));
  const remove = database.prepare("DELETE FROM flow_session WHERE id = ?");
  const ids = new Counter(database, "flow_session");
  // UUIDs of runs are derived from the session's id, so no id may be used twice. A session that ended may never
  // have had a row, but each has a run whose id is at least the session's.
  ids.skipTo(database.prepare<[], number | null>("SELECT max(id) FROM flow_run", "value").get() ?? 0);
  const kept = new Map<number, SessionRow>();
  /** Kept sessions that have no row yet. */
  const unwritten = new Set<number>();
  function writeRow(row: SessionRow): void {
    write(put, row.id, row.contact, JSON.stringify(row.state));
  }
  function writeKept(): void {
    for (const row of kept.values()) writeRow(row);
    kept.clear();
    unwritten.clear();
  }
  deferred.register(writeKept);
  return {
    all() {
      writeKept();
      return all.all().map(({ state, ...row }) => ({ ...row, state: JSON.parse(state) as unknown }));
    },
    nextId() {
      const id = ids.next();
      if (deferred.isOn) unwritten.add(id);
      return id;
    },
    put(row) {
      if (deferred.isOn) kept.set(row.id, row);
      else writeRow(row);
    },
    remove(id) {
      kept.delete(id);
      if (!unwritten.delete(id)) write(remove, id);
    },
  };
}
