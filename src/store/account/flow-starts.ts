import type { Connection } from "../sqlite/connection.js";
import type { FlowStartRow, FlowStartTable } from "../../account/index.js";
import { List } from "./list.js";
import { named } from "./named.js";
import { Counter, rowPutter, type SqlWriter } from "./sql-writer.js";
import { rowReader } from "./stored-row.js";

const columns = `flow_start.id, flow_start.uuid, flow_start.flow, flow_start.exclude_groups AS excludeGroups, flow_start.restart_participants AS restartsParticipants,
  flow_start.exclude_active AS excludesActive, flow_start.extra, flow_start.embedded_data AS embeddedData,
  flow_start.parent, flow_start.origin, flow_start.status, flow_start.total, flow_start.created_at_ms AS createdAtMs, flow_start.modified_at_ms AS modifiedAtMs`;

const startFrom = rowReader<FlowStartRow>()({
  json: ["groups", "excludeGroups", "contacts", "extra", "embeddedData", "parent"],
  flags: ["restartsParticipants", "excludesActive"],
});

/** A flow start as SQLite gives it: lists and data are JSON. */
type StoredStart = Parameters<typeof startFrom>[0];

/** Flow starts in SQLite. */
export function flowStartTable(writer: SqlWriter): FlowStartTable {
  const { database, write } = writer;
  const byId = database.prepare<[number], StoredStart>(
    `SELECT ${columns}, flow_start.groups, flow_start.contacts FROM flow_start WHERE id = ?`,
  );
  const unfinished = database.prepare<[], StoredStart>(
    `SELECT ${columns}, flow_start.groups, flow_start.contacts FROM flow_start
    WHERE status IN ('pending', 'starting') ORDER BY id`,
  );
  const put = rowPutter(writer, "flow_start", (row: FlowStartRow) => ({
    id: row.id,
    uuid: row.uuid,
    flow: row.flow,
    groups: JSON.stringify(row.groups),
    exclude_groups: JSON.stringify(row.excludeGroups),
    contacts: JSON.stringify(row.contacts),
    restart_participants: row.restartsParticipants ? 1 : 0,
    exclude_active: row.excludesActive ? 1 : 0,
    extra: row.extra === null ? null : JSON.stringify(row.extra),
    embedded_data: row.embeddedData === null ? null : JSON.stringify(row.embeddedData),
    parent: row.parent === null ? null : JSON.stringify(row.parent),
    origin: row.origin,
    status: row.status,
    total: row.total,
    created_at_ms: row.createdAtMs,
    modified_at_ms: row.modifiedAtMs,
  }));
  const setProgress = database.prepare("UPDATE flow_start SET status = ?, total = ?, modified_at_ms = ? WHERE id = ?");
  const ids = new Counter(database, "flow_start");
  return {
    get(id) {
      const stored = byId.get(id);
      return stored === undefined ? undefined : startFrom(stored);
    },
    unfinished: () => unfinished.all().map(startFrom),
    setProgress: ({ id, status, total, modifiedAtMs }) => write(setProgress, status, total, modifiedAtMs, id),
    nextId: () => ids.next(),
    put,
  };
}

/** A flow start as the API lists it; `groups` and `contacts` are JSON lists of `{uuid, name}`. */
export interface ListedFlowStart extends StoredStart {
  readonly flowUuid: string;
  readonly flowName: string;
  /** Number of contacts that it started; sub-flows are not counted. */
  readonly started: number;
}

/** Flow starts, last modified first. */
export function flowStartList(database: Connection): List<ListedFlowStart> {
  return new List(database, {
    columns: `${columns}, flow.uuid AS flowUuid, flow.name AS flowName,
      ${named("contact_group", "id", "flow_start.groups")} AS groups,
      ${named("contact", "row", "flow_start.contacts")} AS contacts,
      (SELECT count(DISTINCT contact) FROM flow_run WHERE flow_run.start = flow_start.id) AS started`,
    from: "flow_start LEFT JOIN flow ON flow.id = flow_start.flow",
    orders: { modified: { position: "flow_start.modified_at_ms", tie: "flow_start.id" } },
    filters: {
      id: "flow_start.id = ?",
      uuid: "flow_start.uuid = ?",
      before: "flow_start.modified_at_ms <= ?",
      after: "flow_start.modified_at_ms >= ?",
    },
    key: "flow_start.id",
  });
}
