import { describe, expect, it, onTestFinished } from "vitest";
import { SCHEMA_VERSION } from "../../src/store/sqlite/migrations/index.js";
import { openRecording, Recording } from "../../src/store/index.js";
import { handset } from "../cli/terminal.js";
import { oldRecording, oldVersions } from "./old-recordings.js";
import { eventRow } from "./samples.js";

it("each schema version has a recording", () => {
  expect(oldVersions).toEqual(oldVersions.map((_, index) => index + 1));
  expect(oldVersions.length).toBeGreaterThanOrEqual(9);
});

describe.each(oldVersions)("a recording of schema version %i", (version) => {
  it("is read completely", () => {
    const reader = openRecording(oldRecording(version));
    onTestFinished(() => reader.close());
    expect(reader.meta()).toMatchObject({ name: "Old day", seed: 5 });
    expect(reader.counts()).toMatchObject({ channels: 1, contacts: 1, messages: 1, events: 2, attempts: 2, notes: 1 });
    const copy = version < 6 ? null : { of: 1, cause: "answer-lost" };
    expect([...reader.events()]).toMatchObject([{ number: 1 }, { number: 2, copy, attempts: [{ status: 200 }] }]);
    const url = version < 9 ? null : "http://127.0.0.1:8000/events";
    for (const attempt of reader.attempts()) {
      expect(attempt).toMatchObject({ outcome: "accepted", headers: "content-type: application/json", url });
    }
  });

  it("is read by the commands", async () => {
    const path = oldRecording(version);
    expect((await handset(["events", path])).stdout.trim().split("\n")).toHaveLength(2);
    const har = await handset(["report", path, "--format", "har"]);
    expect(har.stdout).toContain("http://127.0.0.1:8000/events");
    for (const format of ["text", "json", "html", "csv"]) {
      expect(await handset(["report", path, "--format", format])).toMatchObject({ code: 0, stderr: "" });
    }
  });

  it("is migrated when it is reopened for writing", () => {
    const recording = Recording.reopen(oldRecording(version));
    onTestFinished(() => recording.close());
    recording.event(eventRow({ row: 3, number: 3, atMs: 70_000 }));
    expect(recording.reader().counts().events).toBe(3);
  });

  it.skipIf(version === SCHEMA_VERSION)("is not resumed, because its run wrote other rows", async () => {
    const recording = Recording.reopen(oldRecording(version));
    onTestFinished(() => recording.close());
    expect(() => recording.reexecute()).toThrow(/another version/);
    expect((await handset(["run", "--resume", oldRecording(version)])).code).toBe(2);
  });
});

it("every command refuses a recording with packed rows, and names the next step", async () => {
  const path = oldRecording(5, "DELETE FROM event; INSERT INTO batch VALUES (1, x'00');");
  for (const argv of [
    ["events", path],
    ["report", path],
    ["run", "--resume", path],
    ["serve", "--db", path, "--port", "0"],
  ]) {
    const { code, stdout, stderr } = await handset(argv);
    expect({ code, stdout }, argv.join(" ")).toEqual({ code: 3, stdout: "" });
    expect(stderr.replaceAll(/\s+/g, " ")).toContain("play the run again, its seed gives the same events");
  }
});
