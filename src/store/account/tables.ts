import type { Database } from "better-sqlite3";
import type { AccountTables } from "../../gateway/index.js";
import { contactTable } from "./contacts.js";
import { labelList, labelTable, type ListedLabel } from "./labels.js";
import type { List } from "./list.js";
import type { Pen } from "./pen.js";

/** The account's tables, to read and write. */
export function accountTables(pen: Pen): AccountTables {
  return {
    contacts: contactTable(pen),
    labels: labelTable(pen),
  };
}

/** What the API pages through. */
export interface AccountLists {
  readonly labels: List<ListedLabel>;
}

export function accountLists(database: Database): AccountLists {
  return {
    labels: labelList(database),
  };
}
