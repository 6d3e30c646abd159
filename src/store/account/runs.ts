import type { Connection } from "../sqlite/connection.js";
import type { RunCounts, RunRow, RunTable } from "../../account/index.js";
import { List } from "./list.js";
import { Counter, type SqlWriter } from "./sql-writer.js";
import { rowReader } from "./stored-row.js";

const columns = `flow_run.id, flow_run.uuid, flow_run.flow, flow_run.contact, flow_run.start,
  flow_run.responded AS hasResponded, flow_run.path, flow_run.results, flow_run.embedded_data AS embeddedData,
  flow_run.created_at_ms AS createdAtMs, flow_run.modified_at_ms AS modifiedAtMs, flow_run.exited_at_ms AS exitedAtMs,
  flow_run.exit_type AS exit`;

const runFrom = rowReader<RunRow>()({
  json: ["path", "results", "answers", "embeddedData"],
  flags: ["hasResponded"],
});

/** A run as SQLite gives it: `path`, `results`, `answers` and `embeddedData` are JSON. */
type StoredRun = Parameters<typeof runFrom>[0];

/** Runs of flows in SQLite. */
export function runTable({ database, write, deferred }: SqlWriter): RunTable {
  const byId = database.prepare<[number], StoredRun>(`SELECT ${columns}, flow_run.answers FROM flow_run WHERE id = ?`);
  const byUuid = database.prepare<[string], StoredRun>(
    `SELECT ${columns}, flow_run.answers FROM flow_run WHERE uuid = ?`,
  );
  const latest = database.prepare<[number], StoredRun>(
    `SELECT ${columns}, flow_run.answers FROM flow_run WHERE contact = ? ORDER BY id DESC LIMIT 100`,
  );
  const ofFlow = database.prepare<[number, number], StoredRun>(
    `SELECT ${columns}, flow_run.answers FROM flow_run WHERE flow = ? ORDER BY modified_at_ms DESC, id DESC LIMIT ?`,
  );
  const counts = database.prepare<[string], { flow: number; exit: keyof RunCounts; runs: number }>(
    `SELECT flow_run.flow, coalesce(flow_run.exit_type, 'active') AS exit, count(*) AS runs
    FROM json_each(?) AS item CROSS JOIN flow_run ON flow_run.flow = item.value GROUP BY flow_run.flow, flow_run.exit_type`,
  );
  // An update touches only the indexes of changed columns; a replaced row is deleted from all of them.
  const put = database.prepare(`INSERT INTO flow_run
    (id, uuid, flow, contact, start, responded, path, results, answers, embedded_data, created_at_ms, modified_at_ms,
      exited_at_ms, exit_type)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (id) DO UPDATE SET responded = excluded.responded, path = excluded.path, results = excluded.results,
      answers = excluded.answers, modified_at_ms = excluded.modified_at_ms, exited_at_ms = excluded.exited_at_ms,
      exit_type = excluded.exit_type`);
  const ever = database.prepare<[number, number], number>(
    "SELECT 1 FROM flow_run WHERE contact = ? AND flow = ? LIMIT 1",
    "value",
  );
  const active = database.prepare<[number], number>(
    "SELECT 1 FROM flow_run WHERE contact = ? AND exit_type IS NULL LIMIT 1",
    "value",
  );
  const ofStart = database.prepare<[number], number>("SELECT contact FROM flow_run WHERE start = ?", "value");
  const interrupt = database.prepare(
    `UPDATE flow_run SET exit_type = 'interrupted', exited_at_ms = ?, modified_at_ms = ?
    WHERE contact = ? AND exit_type IS NULL`,
  );
  const remove = database.prepare("DELETE FROM flow_run WHERE contact = ?");
  const ids = new Counter(database, "flow_run");
  /** Functions that create the deferred rows, by contact and id. */
  const kept = new Map<number, Map<number, () => RunRow>>();
  function writeRow(row: RunRow): void {
    write(
      put,
      row.id,
      row.uuid,
      row.flow,
      row.contact,
      row.start,
      row.hasResponded ? 1 : 0,
      JSON.stringify(row.path),
      JSON.stringify(row.results),
      JSON.stringify(row.answers),
      row.embeddedData === null ? null : JSON.stringify(row.embeddedData),
      row.createdAtMs,
      row.modifiedAtMs,
      row.exitedAtMs,
      row.exit,
    );
  }
  function writeKeptOf(contact: number): void {
    const rows = kept.get(contact);
    kept.delete(contact);
    if (rows !== undefined) for (const make of rows.values()) writeRow(make());
  }
  function writeKept(): void {
    for (const contact of kept.keys()) writeKeptOf(contact);
  }
  function keep({ id, contact }: Pick<RunRow, "id" | "contact">, make: () => RunRow): void {
    const rows = kept.get(contact);
    if (rows === undefined) kept.set(contact, new Map([[id, make]]));
    else rows.set(id, make);
  }
  /** Runs a look-up that must see the contact's kept rows. */
  function ofContact<T>(contact: number, read: () => T): T {
    if (kept.size > 0) writeKeptOf(contact);
    return read();
  }
  deferred.register(writeKept);
  return {
    get(id) {
      writeKept();
      const stored = byId.get(id);
      return stored === undefined ? undefined : runFrom(stored);
    },
    byUuid(uuid) {
      writeKept();
      const stored = byUuid.get(uuid);
      return stored === undefined ? undefined : runFrom(stored);
    },
    nextId: () => ids.next(),
    put: (row) => ofContact(row.contact, () => writeRow(row)),
    putStep: (run, make) => (deferred.isOn ? keep(run, make) : writeRow(make())),
    ofContact: (contact) => ofContact(contact, () => latest.all(contact).map(runFrom)),
    latestOfFlow(flow, limit) {
      writeKept();
      return ofFlow.all(flow, limit).map(runFrom);
    },
    hasRun: (flow, contact) => ofContact(contact, () => ever.get(contact, flow) !== undefined),
    hasActive: (contact) => ofContact(contact, () => active.get(contact) !== undefined),
    contactsOfStart(start) {
      writeKept();
      return new Set(ofStart.all(start));
    },
    interruptActiveOf: (contact, atMs) => ofContact(contact, () => write(interrupt, atMs, atMs, contact)),
    removeOf: (contact) => ofContact(contact, () => write(remove, contact)),
    countsOf(flows) {
      writeKept();
      const found = new Map<number, RunCounts>();
      for (const { flow, exit, runs } of counts.all(JSON.stringify(flows))) {
        found.set(flow, {
          ...(found.get(flow) ?? { active: 0, completed: 0, interrupted: 0, expired: 0, failed: 0 }),
          [exit]: runs,
        });
      }
      return found;
    },
  };
}

/** A run as the API lists it. */
export interface ListedRun extends Omit<StoredRun, "answers"> {
  readonly flowUuid: string;
  readonly flowName: string;
  readonly contactUuid: string;
  readonly contactName: string | null;
  readonly startUuid: string | null;
}

/** Runs of flows, last modified first. */
export function runList(database: Connection): List<ListedRun> {
  return new List(database, {
    columns: `${columns}, flow.uuid AS flowUuid, flow.name AS flowName, contact.uuid AS contactUuid,
      contact.name AS contactName, flow_start.uuid AS startUuid`,
    // LEFT JOIN makes SQLite read the runs first: their index gives the order.
    from: `flow_run LEFT JOIN flow ON flow.id = flow_run.flow
      LEFT JOIN contact ON contact.row = flow_run.contact
      LEFT JOIN flow_start ON flow_start.id = flow_run.start`,
    orders: { modified: { position: "flow_run.modified_at_ms", tie: "flow_run.id" } },
    filters: {
      id: "flow_run.id = ?",
      uuid: "flow_run.uuid = ?",
      flow: "flow_run.flow = ?",
      contact: "flow_run.contact = ?",
      responded: "flow_run.responded = 1",
      before: "flow_run.modified_at_ms <= ?",
      after: "flow_run.modified_at_ms >= ?",
    },
    key: "flow_run.id",
  });
}
