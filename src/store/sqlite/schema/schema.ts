import type { Connection } from "../connection.js";
import { accountTables } from "./account-tables.js";
import { registrations } from "./registrations.js";
import { recordingTables } from "./recording-tables.js";
import { troubles } from "./troubles.js";

/** "HSLB": the application id in the header of the SQLite file. */
export const APPLICATION_ID = 0x48534c42;

/**
 * The schema of the first release. It is frozen: `test/store/schema.test.ts` has its digest. A later change of the
 * tables is a migration.
 */
const firstSchema = recordingTables + accountTables;

/** The oldest schema version that can be read; those below were of versions before the first release. */
export const FIRST_VERSION = 15;

/** In order: the first schema, and the migration to each version after it. */
const migrations: readonly string[] = [firstSchema, registrations, troubles];

/** The current schema version, a recording's `user_version`. */
export const SCHEMA_VERSION: number = FIRST_VERSION + migrations.length - 1;

/**
 * Creates the tables of an empty database, or migrates a recording to the current schema version, in one transaction.
 *
 * @param version - a version to stop at, from FIRST_VERSION
 */
export function migrate(database: Connection, version: number = SCHEMA_VERSION): void {
  const from = Number(database.setting("user_version"));
  const done = from === 0 ? 0 : from - FIRST_VERSION + 1;
  database.transaction(() => {
    for (const migration of migrations.slice(done, version - FIRST_VERSION + 1)) database.exec(migration);
    database.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
    database.exec(`PRAGMA user_version = ${version}`);
  });
}
