import { createHash } from "node:crypto";
import { expect, it, onTestFinished } from "vitest";
import { openRecording, Recording } from "../../src/store/index.js";
import { emptyDatabase } from "../../src/store/recording/recording-file.js";
import { Connection } from "../../src/store/sqlite/connection.js";
import { FIRST_VERSION, migrate } from "../../src/store/sqlite/schema/schema.js";
import { handset } from "../cli/terminal.js";
import { editedRecording } from "./samples.js";

/** Statements that created the tables, indexes and triggers, without comments and spaces. */
function statementsOf(database: Connection): string[] {
  const sql = database.prepare<[], string>(
    "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name",
    "value",
  );
  return sql.all().map((statement) => statement.replaceAll(/--.*$/gm, "").replaceAll(/\s+/g, ""));
}

it("the schema of the first release is frozen: a change is a migration", () => {
  const database = new Connection(":memory:");
  onTestFinished(() => database.close());
  migrate(database, FIRST_VERSION);
  const digest = createHash("sha256").update(statementsOf(database).join("\n")).digest("hex");
  expect(digest).toBe("c880e8f354803ae05824947911328c36fb2903afc3b4368107cf1a86dcd21e51");
});

it("a migrated recording has the tables of a new one", () => {
  const [old, current] = [new Connection(":memory:"), emptyDatabase()];
  onTestFinished(() => [old, current].forEach((database) => database.close()));
  migrate(old, FIRST_VERSION);
  migrate(old);
  expect(statementsOf(old)).toEqual(statementsOf(current));
});

it("every command refuses a recording from before the first release, and names the next step", async () => {
  const path = editedRecording(`PRAGMA user_version = ${FIRST_VERSION - 1};`);
  const reason = "a version before the first release made it, with other tables; play its scenario again";
  for (const open of [() => openRecording(path), () => Recording.reopen(path), () => Recording.copyOf(path)])
    expect(open).toThrow(reason);
  for (const argv of [
    ["events", path],
    ["report", path],
    ["run", "--resume", path],
    ["serve", path, "--port", "0"],
    ["serve", "--db", path, "--port", "0"],
  ]) {
    const { code, stdout, stderr } = await handset(argv);
    expect({ code, stdout }, argv.join(" ")).toEqual({ code: 3, stdout: "" });
    expect(stderr.replaceAll(/\s+/g, " ")).toContain(reason);
  }
});
