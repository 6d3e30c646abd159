import { describe, expect, it } from "vitest";
import { handset } from "../cli/terminal.js";
import { editedRecording } from "./samples.js";

/** Changes that another program may make to a recording. */
const edits: readonly (readonly [name: string, sql: string])[] = [
  ["a table is gone", "DROP TABLE event;"],
  ["a column is gone", "ALTER TABLE note DROP COLUMN text;"],
  ["all tables are gone", "DROP TABLE event; DROP TABLE run;"],
  ["its version is gone", "PRAGMA user_version = 0;"],
  ["facts of the run are gone", "DELETE FROM run;"],
  ["the service's settings are not JSON", "UPDATE run SET value = 'x' WHERE key = 'preset';"],
  ["the options are not an object", "UPDATE run SET value = '7' WHERE key = 'options';"],
  ["the result is not JSON", "UPDATE run SET value = '{nonsense' WHERE key = 'result';"],
];

describe("every command refuses a recording that another program has changed, and says so", () => {
  it.each(edits)("%s", async (_, sql) => {
    const path = editedRecording(sql);
    for (const argv of [
      ["events", path],
      ["report", path],
      ["report", path, "--format", "html"],
      ["replay", path, "-r", "http://127.0.0.1:9/", "--recording", "none"],
      ["run", "--resume", path],
      ["merge", path, path, "--output", `${path}.merged`],
      ["serve", path, "--port", "0"],
      ["serve", "--db", path, "--port", "0"],
    ]) {
      const { code, stderr } = await handset(argv);
      expect([2, 3], `${argv.join(" ")}: ${stderr}`).toContain(code);
      expect(stderr.replaceAll(/\s+/g, " ")).toMatch(/another program has changed it/);
      expect(stderr).not.toMatch(/^ {4}at /m);
    }
  });

  it("the JSON of a row is invalid", async () => {
    const path = editedRecording("UPDATE attempt SET redirects = 'x';");
    const { code, stderr } = await handset(["report", path, "--format", "har"]);
    expect(code).toBe(3);
    expect(stderr.replaceAll(/\s+/g, " ")).toMatch(/another program has changed it/);
  });
});

it("serve refuses a recording of a newer version, and says so", async () => {
  const path = editedRecording("PRAGMA user_version = 99;");
  for (const argv of [
    ["serve", path],
    ["serve", "--db", path],
  ]) {
    const { code, stderr } = await handset([...argv, "--port", "0"]);
    expect(code).toBeGreaterThan(1);
    expect(stderr.replaceAll(/\s+/g, " ")).toMatch(/a newer version made it/);
  }
});
