import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Connection } from "../../src/store/sqlite/connection.js";
import { temporaryFolder } from "../support/folder.js";

const folder = new URL("fixtures/", import.meta.url);

/** Schema versions of which there is a recording, as the migrations up to there made it: two events, each answered. */
export const oldVersions: readonly number[] = readdirSync(folder)
  .map((name) => Number(/^schema-(\d+)\.sql$/.exec(name)?.[1]))
  .sort((a, b) => a - b);

/** Makes the file of a recording of an older version; `more`: statements that change it. @returns its path */
export function oldRecording(version: number, more = ""): string {
  const path = join(temporaryFolder(), `schema-${version}.db`);
  const database = new Connection(path);
  database.exec(readFileSync(new URL(`schema-${version}.sql`, folder), "utf8") + more);
  database.close();
  return path;
}
