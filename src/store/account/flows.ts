import type { Connection } from "../sqlite/connection.js";
import type { FlowJson, FlowRow, FlowTable } from "../../account/index.js";
import { List } from "./list.js";
import { NameIndex } from "./name-index.js";
import { Counter, replaceInto, type SqlWriter } from "./sql-writer.js";
import { rowReader } from "./stored-row.js";

const columns = `flow.id, flow.uuid, flow.name, flow.type, flow.is_archived AS isArchived, flow.expires_minutes AS expiresMinutes,
  flow.labels, flow.results, flow.created_at_ms AS createdAtMs, flow.modified_at_ms AS modifiedAtMs`;

const flowFrom = rowReader<FlowRow>()({ json: ["labels", "results"], flags: ["isArchived"] });

/** A flow as SQLite gives it, and as the API lists it: `labels` and `results` are JSON. */
export type StoredFlow = Parameters<typeof flowFrom>[0];

/** Flows in SQLite. */
export function flowTable({ database, write }: SqlWriter): FlowTable {
  const select = `SELECT ${columns} FROM flow`;
  const byId = database.prepare<[number], StoredFlow>(`${select} WHERE id = ?`);
  const byUuid = database.prepare<[string], StoredFlow>(`${select} WHERE uuid = ?`);
  const names = new NameIndex(database, "flow");
  const all = database.prepare<[], StoredFlow>(`${select} ORDER BY id`);
  const definition = database.prepare<[number], string>("SELECT definition FROM flow WHERE id = ?", "value");
  const put = database.prepare(
    replaceInto("flow", [
      "id",
      "uuid",
      "name",
      "type",
      "is_archived",
      "expires_minutes",
      "labels",
      "results",
      "definition",
      "created_at_ms",
      "modified_at_ms",
    ]),
  );
  const ids = new Counter(database, "flow");
  // Cache: each step of a session looks up its flow, and parsing the row's JSON takes longer than the step.
  const rows = new Map<string, FlowRow>();
  function cached(uuid: string): FlowRow | undefined {
    const known = rows.get(uuid);
    if (known !== undefined) return known;
    const row = given(byUuid.get(uuid));
    if (row !== undefined) rows.set(uuid, row);
    return row;
  }
  return {
    get: (id) => given(byId.get(id)),
    byUuid: cached,
    byName: (name) => given(byId.get(names.firstWith(name) ?? 0)),
    all: () => all.all().map(flowFrom),
    definition(id) {
      const text = definition.get(id);
      return text === undefined ? undefined : (JSON.parse(text) as FlowJson);
    },
    nextId: () => ids.next(),
    put(row, written) {
      rows.delete(row.uuid);
      names.put(row);
      write(
        put,
        row.id,
        row.uuid,
        row.name,
        row.type,
        row.isArchived ? 1 : 0,
        row.expiresMinutes,
        JSON.stringify(row.labels),
        JSON.stringify(row.results),
        JSON.stringify(written),
        row.createdAtMs,
        row.modifiedAtMs,
      );
    },
  };
}

/** Parses the JSON columns. */

function given(stored: StoredFlow | undefined): FlowRow | undefined {
  return stored === undefined ? undefined : flowFrom(stored);
}

/** Flows as the API lists them. */
export function flowList(database: Connection): List<StoredFlow> {
  return new List(database, {
    columns,
    from: "flow",
    orders: { created: { position: "flow.created_at_ms", tie: "flow.id" } },
    filters: {
      uuid: "flow.uuid = ?",
      type: "flow.type = ?",
      archived: "flow.is_archived = ?",
      before: "flow.modified_at_ms <= ?",
      after: "flow.modified_at_ms >= ?",
    },
    key: "flow.id",
  });
}
