import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openRecording, Recording } from "../../src/store/index.js";
import { temporaryFolder } from "../support/folder.js";
import { attemptRow, eventRow, meta } from "./samples.js";

/** Two events with an attempt each. */
function write(recording: Recording, body = "n=2"): void {
  recording.event(eventRow({ row: 1, number: 1, body: "n=1" }));
  recording.attempt(attemptRow({ number: 1 }));
  recording.event(eventRow({ row: 2, number: 2, body }));
  recording.attempt(attemptRow({ number: 2 }));
}

/** The path of a recording that was closed without a result. */
function cutOff(): string {
  const path = join(temporaryFolder(), "run.db");
  const recording = Recording.create(path, meta);
  write(recording);
  recording.close();
  return path;
}

describe("a re-executed run", () => {
  it.each(["in the calling thread", "in a separate thread"])(
    "compares its recorded rows, and writes later ones %s",
    async (where) => {
      const path = cutOff();
      const recording = Recording.reopen(path);
      recording.reexecute();
      if (where === "in a separate thread") await recording.writeInThread(() => expect.unreachable());
      expect([recording.isReexecuting, recording.isLastRowRecorded]).toEqual([true, false]);
      write(recording);
      expect([recording.isReexecuting, recording.isLastRowRecorded]).toEqual([false, true]);
      recording.event(eventRow({ row: 3, number: 3, body: "n=3" }));
      expect(recording.isLastRowRecorded).toBe(false);
      recording.finish({ digest: "", resultJson: "{}", endedWallMs: 0 });
      recording.close();
      const reader = openRecording(path);
      expect(reader.counts()).toMatchObject({ events: 3, attempts: 2 });
      reader.close();
    },
  );

  it("does not count seconds of the host, which it does not write again", () => {
    const path = join(temporaryFolder(), "run.db");
    const killed = Recording.create(path, meta);
    killed.hostSecond({ atMs: 1000, share: 0.5, othersPerCore: 12 });
    write(killed);
    killed.hostSecond({ atMs: 2000, share: 1, othersPerCore: null });
    killed.close();
    const recording = Recording.reopen(path);
    recording.reexecute();
    write(recording);
    expect(recording.isReexecuting).toBe(false);
    recording.hostSecond({ atMs: 3000, share: 1, othersPerCore: 15 });
    recording.event(eventRow({ row: 3, number: 3, body: "n=3" }));
    recording.close();
    const again = Recording.reopen(path);
    again.reexecute();
    write(again);
    expect(again.isReexecuting).toBe(true);
    again.event(eventRow({ row: 3, number: 3, body: "n=3" }));
    expect(again.isReexecuting).toBe(false);
    expect(
      [...again.reader().hostSeconds()].map(({ atMs, share, othersPerCore }) => [atMs, share, othersPerCore]),
    ).toEqual([
      [1000, 0.5, 12],
      [2000, 1, null],
      [3000, 1, 15],
    ]);
    again.close();
  });

  it("stops at an event that differs from the recorded one", () => {
    const recording = Recording.reopen(cutOff());
    recording.reexecute();
    expect(() => write(recording, "n=other")).toThrow(expect.objectContaining({ code: "not-the-same" }));
    recording.close();
  });
});
