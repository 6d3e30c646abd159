import { setTimeout as wait } from "node:timers/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Connection } from "../../src/store/sqlite/connection.js";
import { asStoreError } from "../../src/store/sqlite/errors.js";
import { openRecording } from "../../src/store/index.js";
import { temporaryFolder } from "../support/folder.js";
import { WriterProcess } from "./writer-process.js";

/** Checks that the file holds a prefix of the written rows, without gaps or duplicates. */
function checkPrefix(path: string, { isAlive }: { isAlive: boolean }): { rows: number } {
  const reader = openRecording(path);
  try {
    const events = [...reader.events()];
    expect(events.map(({ number }) => number)).toEqual(events.map((_, index) => index + 1));
    expect(reader.meta().name).toBe("killed");
    expect(reader.end()).toBeUndefined();
    const attempts = events.reduce((sum, event) => sum + event.attempts.length, 0);
    // Beside a live writer each page shows its own instant: the attempt of its last event may have come later.
    if (!isAlive) {
      expect(events.every((event, index) => event.attempts.length === 1 || index === events.length - 1)).toBe(true);
      expect(reader.counts()).toMatchObject({ events: events.length, attempts });
    }
    return { rows: events.length + attempts };
  } finally {
    reader.close();
  }
}

function integrity(path: string): unknown {
  const database = new Connection(path);
  try {
    return database.setting("integrity_check");
  } finally {
    database.close();
  }
}

describe("a recording whose process dies", () => {
  it("is readable while it is written and after a kill at any moment, and lacks at most 250 rows", async () => {
    const writer = new WriterProcess(temporaryFolder());
    const recordings = temporaryFolder();
    for (const [index, afterMs] of [0, 7, 29, 61, 113].entries()) {
      const path = join(recordings, `${index}.db`);
      const running = writer.start(path);
      while (running.rows === 0) await wait(5);
      await wait(afterMs);
      const before = running.rows;
      expect(checkPrefix(path, { isAlive: true }).rows).toBeGreaterThan(before - 250);
      await running.kill();
      const { rows } = checkPrefix(path, { isAlive: false });
      expect(rows).toBeGreaterThan(running.rows - 250);
      expect(integrity(path)).toBe("ok");
      expect(checkPrefix(path, { isAlive: false }).rows).toBe(rows);
    }
  });

  it("reports a full disk, keeps the rows before it, and stays readable", async () => {
    const writer = new WriterProcess(temporaryFolder());
    const path = join(temporaryFolder(), "run.db");
    const running = writer.start(path, 600);
    await running.ended;
    expect(running.lines.at(-1)).toBe("failed disk-error disk-error");
    expect(checkPrefix(path, { isAlive: false }).rows).toBeGreaterThan(running.rows - 250);
    expect(running.rows).toBeGreaterThan(1000);
    expect(integrity(path)).toBe("ok");
  });
});

describe("errors of the operating system and SQLite", () => {
  it.each([
    ["SQLITE_FULL", "disk-full"],
    ["ENOSPC", "disk-full"],
    ["SQLITE_IOERR_WRITE", "disk-error"],
    ["SQLITE_READONLY_DBMOVED", "not-writable"],
    ["EROFS", "not-writable"],
    ["SQLITE_BUSY_SNAPSHOT", "recording-busy"],
    ["SQLITE_CORRUPT_INDEX", "recording-damaged"],
  ])("%s becomes %s, with its cause and the next step", (name, code) => {
    const cause = Object.assign(new Error("text of the system"), { code: name });
    const error = asStoreError(cause, "run.db", "write");
    expect(error).toMatchObject({ code, path: "run.db", cause });
    expect(String(error)).toMatch(/^StoreError: cannot write the recording run\.db: .+; .+ \(\w+\)$/u);
  });

  it("are not made of our own defects", () => {
    const defect = Object.assign(new Error("UNIQUE constraint failed"), { code: "SQLITE_CONSTRAINT_UNIQUE" });
    expect(asStoreError(defect, "run.db", "write")).toBe(defect);
  });
});
