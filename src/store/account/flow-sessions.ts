import type { SessionTable } from "../../account/index.js";
import { Counter, replaceInto, type SqlWriter } from "./sql-writer.js";

interface StoredSession {
  readonly id: number;
  readonly contact: number;
  readonly state: string;
}

/** Sessions of flows that have not ended, in SQLite. */
export function flowSessionTable({ database, write }: SqlWriter): SessionTable {
  const all = database.prepare<[], StoredSession>("SELECT id, contact, state FROM flow_session ORDER BY id");
  const put = database.prepare(replaceInto("flow_session", ["id", "contact", "state"]));
  const remove = database.prepare("DELETE FROM flow_session WHERE id = ?");
  const ids = new Counter(database, "flow_session");
  return {
    all: () => all.all().map(({ state, ...row }) => ({ ...row, state: JSON.parse(state) as unknown })),
    nextId: () => ids.next(),
    put: (row) => write(put, row.id, row.contact, JSON.stringify(row.state)),
    remove: (id) => write(remove, id),
  };
}
