/** The table `channel`: the columns of a channel's row, how they are written and how they are read. */

import type { ChannelRow } from "../../gateway/index.js";
import type { DeviceStatus } from "../../wire/index.js";
import { listIn } from "../reading/select.js";
import type { Cell } from "../writer/writer.js";

/** The column of one property. */
interface Column<T> {
  readonly name: string;
  write(value: T): Cell;
  read(cell: Cell): T;
}

type Columns<Row> = { readonly [P in keyof Row]-?: Column<Row[P]> };

/** The columns of a phone's status; a property without a column does not compile. */
const deviceColumns: Columns<DeviceStatus> = {
  powerSource: plain("power_source"),
  powerStatus: plain("power_status"),
  powerLevel: plain("power_level"),
  networkType: plain("network_type"),
  pending: { name: "pending", write: JSON.stringify, read: (cell) => listIn(String(cell)) },
  retry: { name: "retry", write: JSON.stringify, read: (cell) => listIn(String(cell)) },
};

const ownColumns: Columns<Omit<ChannelRow, "device">> = {
  id: plain("id"),
  relayer: plain("relayer"),
  isActive: { name: "is_active", write: Number, read: (cell) => cell === 1 },
  createdAtMs: plain("created_at_ms"),
  claimAfterMs: plain("claim_after_ms"),
  uuid: plain("uuid"),
  name: plain("name"),
  phone: plain("phone"),
  url: plain("url"),
  lastSeenMs: plain("last_seen_at_ms"),
  shownSeenMs: plain("shown_seen_at_ms"),
  hasSynced: { name: "has_synced", write: Number, read: (cell) => cell === 1 },
  forwards: {
    name: "forwards",
    write: (types) => (types === undefined ? null : JSON.stringify(types)),
    read: (cell) => (cell === null ? undefined : listIn(String(cell))),
  },
};

/** A column whose cell is the value itself. */
function plain<T extends Cell>(name: string): Column<T> {
  return { name, write: (value) => value, read: (cell) => cell as T };
}

const ownEntries = Object.entries(ownColumns) as [keyof typeof ownColumns, Column<unknown>][];
const deviceEntries = Object.entries(deviceColumns) as [keyof DeviceStatus, Column<unknown>][];
const columns = [...ownEntries, ...deviceEntries];

export const insertChannel: string = `INSERT OR REPLACE INTO channel (${columns.map(([, { name }]) => name).join(", ")})
  VALUES (${columns.map(() => "?").join(", ")})`;

/** The cells of `insertChannel`. */
export function channelCells(row: ChannelRow): Cell[] {
  return [
    ...ownEntries.map(([property, column]) => column.write(row[property])),
    ...deviceEntries.map(([property, column]) => column.write(row.device[property])),
  ];
}

/** A page of channels. */
export const selectChannels: string = `SELECT id AS row,
  ${columns.map(([property, { name }]) => `${name} AS ${property}`).join(", ")}
  FROM channel WHERE id > ? ORDER BY id LIMIT ?`;

/** A channel as SQLite returns it, by property. */
export type StoredChannel = { readonly row: number } & Readonly<Record<keyof ChannelRow | keyof DeviceStatus, Cell>>;

/** @throws SyntaxError for an invalid list: another program changed the row */
export function channelFrom(stored: StoredChannel): ChannelRow {
  const read = <P extends keyof StoredChannel>(entries: readonly (readonly [P, Column<unknown>])[]): object =>
    Object.fromEntries(entries.map(([property, column]) => [property, column.read(stored[property])]));
  return { ...read(ownEntries), device: read(deviceEntries) } as ChannelRow;
}
