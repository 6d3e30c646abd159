import type { Connection } from "../sqlite/connection.js";
import type { FlowStartRow, FlowStartTable } from "../../account/index.js";
import { List } from "./list.js";
import { named } from "./named.js";
import { Counter, replaceInto, type SqlWriter } from "./sql-writer.js";

const columns = `flow_start.id, flow_start.uuid, flow_start.flow, flow_start.exclude_groups AS excludeGroups, flow_start.restart_participants AS restartsParticipants,
  flow_start.exclude_active AS excludesActive, flow_start.extra, flow_start.embedded_data AS embeddedData,
  flow_start.parent, flow_start.origin, flow_start.status, flow_start.total, flow_start.created_at_ms AS createdAtMs, flow_start.modified_at_ms AS modifiedAtMs`;

type Unparsed =
  | "groups"
  | "excludeGroups"
  | "contacts"
  | "restartsParticipants"
  | "excludesActive"
  | "extra"
  | "embeddedData"
  | "parent";

/** A flow start as SQLite gives it: lists and data are JSON. */
type StoredStart = Omit<FlowStartRow, Unparsed> & {
  readonly groups: string;
  readonly excludeGroups: string;
  readonly contacts: string;
  readonly restartsParticipants: number;
  readonly excludesActive: number;
  readonly extra: string | null;
  readonly embeddedData: string | null;
  readonly parent: string | null;
};

/** Flow starts in SQLite. */
export function flowStartTable({ database, write }: SqlWriter): FlowStartTable {
  const byId = database.prepare<[number], StoredStart>(
    `SELECT ${columns}, flow_start.groups, flow_start.contacts FROM flow_start WHERE id = ?`,
  );
  const unfinished = database.prepare<[], StoredStart>(
    `SELECT ${columns}, flow_start.groups, flow_start.contacts FROM flow_start
    WHERE status IN ('pending', 'starting') ORDER BY id`,
  );
  const put = database.prepare(
    replaceInto("flow_start", [
      "id",
      "uuid",
      "flow",
      "groups",
      "exclude_groups",
      "contacts",
      "restart_participants",
      "exclude_active",
      "extra",
      "embedded_data",
      "parent",
      "origin",
      "status",
      "total",
      "created_at_ms",
      "modified_at_ms",
    ]),
  );
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
    put: (row) =>
      write(
        put,
        row.id,
        row.uuid,
        row.flow,
        JSON.stringify(row.groups),
        JSON.stringify(row.excludeGroups),
        JSON.stringify(row.contacts),
        row.restartsParticipants ? 1 : 0,
        row.excludesActive ? 1 : 0,
        row.extra === null ? null : JSON.stringify(row.extra),
        row.embeddedData === null ? null : JSON.stringify(row.embeddedData),
        row.parent === null ? null : JSON.stringify(row.parent),
        row.origin,
        row.status,
        row.total,
        row.createdAtMs,
        row.modifiedAtMs,
      ),
  };
}

function startFrom(stored: StoredStart): FlowStartRow {
  return {
    ...stored,
    groups: JSON.parse(stored.groups) as number[],
    excludeGroups: JSON.parse(stored.excludeGroups) as number[],
    contacts: JSON.parse(stored.contacts) as number[],
    restartsParticipants: stored.restartsParticipants === 1,
    excludesActive: stored.excludesActive === 1,
    extra: stored.extra === null ? null : (JSON.parse(stored.extra) as unknown),
    embeddedData: stored.embeddedData === null ? null : (JSON.parse(stored.embeddedData) as unknown),
    parent: stored.parent === null ? null : (JSON.parse(stored.parent) as FlowStartRow["parent"]),
  };
}

/** A flow start as the API lists it; `groups` and `contacts` are JSON lists of `{uuid, name}`. */
export interface ListedFlowStart extends StoredStart {
  readonly flowUuid: string;
  readonly flowName: string;
  /** Number of contacts that it started; their sub-flows do not count. */
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
