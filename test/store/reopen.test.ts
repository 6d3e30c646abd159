import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openRecording, Recording } from "../../src/store/index.js";
import { temporaryFolder } from "../support/folder.js";
import { eventRow, messageRow, meta } from "./samples.js";

describe("a reopened recording", () => {
  it("keeps its rows, and accepts more", () => {
    const path = join(temporaryFolder(), "run.db");
    const first = Recording.create(path, meta);
    first.message(messageRow());
    first.close();
    const second = Recording.reopen(path);
    second.event(eventRow());
    second.close();
    const reader = openRecording(path);
    onTestFinished(() => reader.close());
    expect(reader.meta()).toEqual(meta);
    expect(reader.counts()).toMatchObject({ messages: 1, events: 1 });
  });

  it("holds the committed rows of a run that was cut off", () => {
    const folder = temporaryFolder();
    const path = join(folder, "run.db");
    const first = Recording.create(path, meta);
    onTestFinished(() => first.close());
    first.message(messageRow());
    first.flush();
    // A kill leaves the file and its WAL.
    for (const suffix of ["", "-wal"]) copyFileSync(path + suffix, join(folder, `cut.db${suffix}`));
    const second = Recording.reopen(join(folder, "cut.db"));
    onTestFinished(() => second.close());
    expect(second.reader().counts().messages).toBe(1);
  });

  it("can be copied into memory, from a file or a snapshot, and leaves the source unchanged", () => {
    const path = join(temporaryFolder(), "run.db");
    const first = Recording.create(path, meta);
    first.message(messageRow());
    first.keep("colour", "blue");
    const copy = Recording.copyOf(path);
    copy.message(messageRow({ row: 2, id: 1_048_578 }));
    const again = Recording.copyOf(copy.snapshot());
    for (const one of [first, copy, again]) onTestFinished(() => one.close());
    expect(first.reader().counts().messages).toBe(1);
    expect(again.reader().counts().messages).toBe(2);
    expect(again.kept("colour")).toBe("blue");
  });

  it("must exist", () => {
    const path = join(temporaryFolder(), "none.db");
    expect(() => Recording.reopen(path)).toThrow(/there is no such file/);
    expect(() => Recording.copyOf(path)).toThrow(/there is no such file/);
  });
});

describe("the rows of an input", () => {
  it("are committed with it, or not at all", () => {
    const recording = Recording.create(":memory:", meta);
    onTestFinished(() => recording.close());
    const input = { atMs: 5, kind: "api", json: "{}" };
    expect(recording.applyInput(input, () => (recording.message(messageRow()), 7))).toBe(7);
    expect(() =>
      recording.applyInput(input, () => {
        for (let row = 2; row < 600; row++) recording.message(messageRow({ row, id: 1_048_576 + row }));
        throw new Error("halfway");
      }),
    ).toThrow("halfway");
    expect(recording.reader().counts()).toMatchObject({ messages: 1, inputs: 1 });
  });
});
