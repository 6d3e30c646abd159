import { readdirSync, readlinkSync } from "node:fs";
import { describe, expect, it, onTestFinished } from "vitest";
import { Recording } from "../../src/store/index.js";
import { messageRow, meta } from "./samples.js";

/** Unnamed files of SQLite that this process has open. */
function openTemporaries(): number {
  return readdirSync("/proc/self/fd").filter((descriptor) => {
    try {
      return readlinkSync(`/proc/self/fd/${descriptor}`).includes("etilqs_");
    } catch {
      return false; // closed meanwhile
    }
  }).length;
}

/** Writes messages of 64 MiB in all: twice SQLite's cache. */
function fill(recording: Recording): void {
  const text = "x".repeat(64 * 1024);
  for (let row = 1; row <= 1024; row++) recording.message(messageRow({ row, id: 1_048_576 + row, text }));
  recording.flush();
}

describe("a temporary recording", () => {
  it("holds every row, rolls back an input that fails, and gives a snapshot", () => {
    const recording = Recording.createTemporary(meta);
    onTestFinished(() => recording.close());
    fill(recording);
    const input = { atMs: 1, step: 1, kind: "hand", json: "{}" };
    const failing = (): never =>
      recording.applyInput(input, () => {
        recording.note({ atMs: 1, channel: 0, text: "withdrawn", kind: "note" });
        throw new Error("refused");
      });
    expect(failing).toThrow("refused");
    expect([...recording.reader().notes()]).toEqual([]);
    const copy = Recording.copyOf(recording.snapshot());
    onTestFinished(() => copy.close());
    expect(copy.reader().messagesByStatus()).toEqual(new Map([["OQ", 1024]]));
    expect([recording.path, recording.bytesOnDisk, recording.isDeleted]).toEqual([":memory:", 0, false]);
  });

  it.skipIf(process.platform !== "linux")(
    "keeps what exceeds its cache in a file without a name, until it is closed",
    () => {
      const before = openTemporaries();
      const recording = Recording.createTemporary(meta);
      fill(recording);
      expect(openTemporaries()).toBeGreaterThan(before);
      recording.close();
      expect(openTemporaries()).toBe(before);
    },
  );
});
