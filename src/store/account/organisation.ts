import type { OrganisationTable, TokenTable } from "../../account/index.js";
import type { OrganisationData, Role } from "../../wire/index.js";
import { replaceInto, type SqlWriter } from "./sql-writer.js";

/** The account's own settings, stored as one fact of the run in JSON. */
export function organisationTable({ database, write }: SqlWriter): OrganisationTable {
  const get = database.prepare<[], string>("SELECT value FROM run WHERE key = 'organisation'", "value");
  const put = database.prepare("INSERT OR REPLACE INTO run (key, value) VALUES ('organisation', ?)");
  return {
    get() {
      const json = get.get();
      return json === undefined ? undefined : (JSON.parse(json) as OrganisationData);
    },
    put: (organisation) => write(put, JSON.stringify(organisation)),
  };
}

/** Tokens in SQLite. */
export function tokenTable({ database, write }: SqlWriter): TokenTable {
  const all = database.prepare<[], { token: string; role: Role; isActive: number }>(
    "SELECT token, role, is_active AS isActive FROM token ORDER BY token",
  );
  const put = database.prepare(replaceInto("token", ["token", "role", "is_active"]));
  return {
    all: () => all.all().map((row) => ({ ...row, isActive: row.isActive === 1 })),
    put: ({ token, role, isActive }) => write(put, token, role, isActive ? 1 : 0),
  };
}
