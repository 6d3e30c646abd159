import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Connection } from "../../src/store/sqlite/connection.js";
import { temporaryFolder } from "../support/folder.js";

const folder = new URL("fixtures/", import.meta.url);

/** Schema versions with a fixture: a recording of two delivered events, made by the migrations up to that version. */
export const oldVersions: readonly number[] = readdirSync(folder)
  .map((name) => Number(/^schema-(\d+)\.sql$/.exec(name)?.[1]))
  .sort((a, b) => a - b);

/** Writes a recording of an older version to a file. @param more - SQL that changes it @returns its path */
export function oldRecording(version: number, more = ""): string {
  const path = join(temporaryFolder(), `schema-${version}.db`);
  const database = new Connection(path);
  database.exec(readFileSync(new URL(`schema-${version}.sql`, folder), "utf8") + more);
  database.close();
  return path;
}
