import type { Connection } from "../sqlite/connection.js";
import type { LabelRow, LabelTable } from "../../account/index.js";
import { List } from "./list.js";
import { NameIndex } from "./name-index.js";
import { Counter, replaceInto, type SqlWriter } from "./sql-writer.js";

const columns = "label.id, label.uuid, label.name, label.created_at_ms AS createdAtMs";

/** Message labels in SQLite. */
export function labelTable({ database, write }: SqlWriter): LabelTable {
  const select = `SELECT ${columns} FROM label`;
  const byId = database.prepare<[number], LabelRow>(`${select} WHERE id = ?`);
  const byUuid = database.prepare<[string], LabelRow>(`${select} WHERE uuid = ?`);
  const names = new NameIndex(database, "label");
  const count = database.prepare<[], number>("SELECT count(*) FROM label", "value");
  const put = database.prepare(replaceInto("label", ["id", "uuid", "name", "created_at_ms"]));
  const removeLinks = database.prepare("DELETE FROM message_label WHERE label = ?");
  const remove = database.prepare("DELETE FROM label WHERE id = ?");
  const ids = new Counter(database, "label");
  return {
    get count() {
      return count.get() ?? 0;
    },
    get: (id) => byId.get(id),
    byUuid: (uuid) => byUuid.get(uuid),
    byName: (name) => byId.get(names.firstWith(name) ?? 0),
    nextId: () => ids.next(),
    put({ id, uuid, name, createdAtMs }) {
      names.put({ id, name });
      write(put, id, uuid, name, createdAtMs);
    },
    remove(id) {
      names.remove(id);
      write(removeLinks, id);
      write(remove, id);
    },
  };
}

/** A label as the API lists it. */
export interface ListedLabel extends LabelRow {
  /** Number of visible messages with the label. */
  readonly messages: number;
}

/** Labels, newest first. */
export function labelList(database: Connection): List<ListedLabel> {
  return new List(database, {
    columns: `${columns}, (SELECT count(*) FROM message_label
      WHERE message_label.label = label.id AND is_visible = 1) AS messages`,
    from: "label",
    orders: { created: { position: "label.created_at_ms", tie: "label.id" } },
    filters: { uuid: "label.uuid = ?", name: "fold(label.name) = fold(?)" },
    key: "label.id",
  });
}
