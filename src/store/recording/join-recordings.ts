import { rmSync, statSync } from "node:fs";
import type { OnProgress } from "../../base/index.js";
import { Connection } from "../sqlite/connection.js";
import { asStoreError } from "../sqlite/errors.js";
import { openRecording } from "./open-recording.js";
import { Recording } from "./recording.js";
import type { RunMeta } from "./rows.js";
import { selectLastRow } from "../reading/select.js";

/** SQLite attaches 10 files at most: more parts are joined in groups first, then the groups. */
const MOST_AT_ONCE = 9;

/** Joining recordings smaller than this takes about a second, so it reports no progress. */
const JOINED_SOON_BYTES = 50 * 2 ** 20;

/** Options of `joinRecordings`. */
export interface JoinOptions {
  /** The facts of the whole run. */
  readonly meta: RunMeta;
  readonly overwrite: boolean;
  readonly onProgress?: OnProgress | undefined;
}

/** A recording of one part of a fleet. */
export interface JoinedPart {
  readonly path: string;
  /** Milliseconds added to its wall times, so that all parts count from one instant. */
  readonly wallOffsetMs: number;
}

/**
 * Joins the recordings of the parts of a fleet into a new one with the rows of a single run: ordered by virtual time,
 * renumbered, each person once. The parts are not changed.
 *
 * SQLite sorts, so memory holds only its sort keys. Rows of one instant are in the order of the parts.
 *
 * @param parts - in their order, at least one, of one run and with the current schema
 * @throws StoreError
 */
export function joinRecordings(
  parts: readonly JoinedPart[],
  path: string,
  { meta, overwrite, onProgress }: JoinOptions,
): void {
  for (const part of parts) openRecording(part.path).close();
  Recording.create(path, meta, { overwrite }).close();
  const groups: JoinedPart[] = [];
  try {
    // At most as many groups as SQLite attaches; a group of more parts is joined in groups likewise.
    const size = Math.max(MOST_AT_ONCE, Math.ceil(parts.length / MOST_AT_ONCE));
    for (let first = 0; parts.length > MOST_AT_ONCE && first < parts.length; first += size) {
      const group = `${path}.${groups.length}`;
      groups.push({ path: group, wallOffsetMs: 0 });
      joinRecordings(parts.slice(first, first + size), group, { meta, overwrite: true, onProgress });
    }
    joinTables(groups.length === 0 ? parts : groups, path, onProgress);
  } catch (error) {
    for (const suffix of ["", "-wal", "-shm"]) rmSync(path + suffix, { force: true });
    throw asStoreError(error, path, "write");
  } finally {
    for (const group of groups) for (const suffix of ["", "-wal", "-shm"]) rmSync(group.path + suffix, { force: true });
  }
}

function joinTables(parts: readonly JoinedPart[], path: string, onProgress: OnProgress | undefined): void {
  const database = new Connection(path);
  try {
    database.exec("PRAGMA synchronous = OFF");
    database.exec("PRAGMA cache_size = -65536");
    parts.forEach((part, index) => database.prepare(`ATTACH ? AS part${index}`).run(part.path));
    database.transaction(() => {
      const isLong = sum(parts.map((part) => statSync(part.path).size)) > JOINED_SOON_BYTES;
      const all = statements(database, parts);
      for (const [done, statement] of all.entries()) {
        onProgress?.({ operation: "joining recordings, table", done, total: all.length, isLong });
        database.exec(statement);
      }
    });
    parts.forEach((_, index) => database.exec(`DETACH part${index}`));
  } finally {
    database.close();
  }
}

/** The statements that fill the joined tables, in order. */
function statements(database: Connection, parts: readonly JoinedPart[]): string[] {
  const columnsOf = (table: string): string[] =>
    database.prepare<[string], string>("SELECT name FROM pragma_table_info(?) WHERE name <> 'row'", "value").all(table);
  /** Selects the rows of all parts, each with its part and its row there. */
  const all = (table: string, extra = ""): string =>
    parts
      .map(
        ({ wallOffsetMs }, index) =>
          `SELECT ${index} AS part, ${wallOffsetMs} AS offset_ms, source.* ${extra} FROM part${index}.${table} AS source`,
      )
      .join(" UNION ALL ");
  /** Appends a table's rows, ordered by the column `time`; `instead` replaces the expressions of some columns. */
  const append = (table: string, time: string, instead: Readonly<Record<string, string>> = {}, rest = ""): string => {
    const columns = columnsOf(table);
    const values = columns.map((column) => instead[column] ?? `joined.${column}`);
    return `INSERT INTO main.${table} (${columns.join(", ")})
      SELECT ${values.join(", ")} FROM (${all(table)}) AS joined ${rest} ORDER BY joined.${time}, joined.part, joined.row`;
  };
  const firstHeads = rowsBefore(database, parts, "head");
  const firstTargets = rowsBefore(database, parts, "target");
  const contact = `JOIN temp.contact_place AS place ON place.part = joined.part AND place.row = joined.contact`;
  return [
    `INSERT OR REPLACE INTO main.channel ${parts.map((_, index) => `SELECT * FROM part${index}.channel`).join(" UNION ALL ")} ORDER BY id`,
    `INSERT OR REPLACE INTO main.registration ${parts.map((_, index) => `SELECT * FROM part${index}.registration`).join(" UNION ALL ")} ORDER BY relayer`,
    // A person can be in several parts, when a reply went to a person of another part. The earliest of these contacts
    // is kept.
    `CREATE TEMP TABLE contact_place (part INTEGER, row INTEGER, uuid TEXT, place INTEGER, PRIMARY KEY (part, row)) WITHOUT ROWID`,
    `INSERT INTO main.contact (${columnsOf("contact").join(", ")})
      SELECT ${columnsOf("contact")
        .map((column) => `joined.${column}`)
        .join(", ")} FROM (
        SELECT *, row_number() OVER (PARTITION BY uuid ORDER BY created_at_ms, part, row) AS meeting FROM (${all("contact")})
      ) AS joined WHERE meeting = 1 ORDER BY created_at_ms, part, row`,
    `INSERT INTO temp.contact_place SELECT joined.part, joined.row, joined.uuid, contact.row
      FROM (${all("contact")}) AS joined JOIN main.contact AS contact USING (uuid)`,
    `INSERT OR IGNORE INTO main.contact_urn SELECT joined.urn, place.place, joined.channel
      FROM (${all("contact_urn")}) AS joined ${contact} ORDER BY place.place`,
    append("message", "created_at_ms", { contact: "place.place" }, contact),
    append("call", "created_at_ms", { contact: "place.place" }, contact),
    append("event", "at_ms"),
    ...firstHeads.map((first, index) => `INSERT INTO main.head SELECT ${first} + row, lines FROM part${index}.head`),
    ...firstTargets.map(
      (first, index) => `INSERT INTO main.target SELECT ${first} + row, url FROM part${index}.target`,
    ),
    append("attempt", "effect_at_ms", {
      sent_wall_ms: "joined.sent_wall_ms + joined.offset_ms",
      head: `joined.head + ${byPart(firstHeads)}`,
      target: `joined.target + ${byPart(firstTargets)}`,
    }),
    append("reply", "at_ms"),
    append("input", "at_ms"),
    append("intent", "row"),
    append("round_trip", "at_ms"),
    append("trouble", "at_ms"),
    append("delay", "row"),
    append("hearing", "at_ms"),
    append("loss", "at_ms"),
    append("host_second", "at_ms + joined.offset_ms", { at_ms: "joined.at_ms + joined.offset_ms" }),
    // Each part has the story's notes, which concern no channel: keep those of part 0.
    append("note", "at_ms", {}, "WHERE joined.part = 0 OR joined.channel > 0 OR joined.kind <> 'note'"),
    `INSERT INTO main.sample (at_ms, wall_ms, name, handsets, waiting, offline, down, charging, battery_mean, battery_min)
      SELECT at_ms, min(wall_ms + offset_ms), name, sum(handsets), sum(waiting), sum(offline), sum(down), sum(charging),
        sum(battery_mean * handsets) / max(1, sum(handsets)), min(battery_min)
      FROM (${all("sample")}) GROUP BY at_ms, name ORDER BY at_ms, min(part), min(row)`,
    `DROP TABLE temp.contact_place`,
  ];
}

/** SQL for the number that is added to a row, by part. */
function byPart(firsts: readonly number[]): string {
  return `CASE joined.part ${firsts.map((first, index) => `WHEN ${index} THEN ${first}`).join(" ")} END`;
}

/** How many rows of a table the earlier parts have, by part. */
function rowsBefore(database: Connection, parts: readonly JoinedPart[], table: "head" | "target"): number[] {
  let sum = 0;
  return parts.map((_, index) => {
    const before = sum;
    sum += database.prepare<[], number>(selectLastRow(`part${index}`, table), "value").get() ?? 0;
    return before;
  });
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
