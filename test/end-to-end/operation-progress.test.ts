import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { OperationProgress } from "../../src/base/index.js";
import { mergeRecordings } from "../../src/fleet/index.js";
import { openRecording, renderHtml, replayRecording } from "../../src/index.js";
import { temporaryFolder } from "../support/folder.js";
import { play, receiverThat, smallDay } from "./support.js";

/** Collects the progress of operations, with the operations in the order of their begin. */
function reports(): { readonly onProgress: (progress: OperationProgress) => void; operations: () => string[] } {
  const got: OperationProgress[] = [];
  return {
    onProgress: (progress) => got.push(progress),
    operations() {
      for (const { done, total } of got) expect(done >= 0 && done <= total).toBe(true);
      return [...new Set(got.map(({ operation }) => operation))];
    },
  };
}

/** Plays a small day. @returns path of the recording */
async function recorded(options: Parameters<typeof play>[1] = {}): Promise<string> {
  const recording = join(temporaryFolder(), "day.db");
  await play(smallDay, { receiver: "none", recording, ...options });
  return recording;
}

describe("the progress of an operation", () => {
  it("tells how many rows a report has read, up to the last one", async () => {
    const got: OperationProgress[] = [];
    const { url } = await receiverThat((_, response) => response.end("{}"));
    const reader = openRecording(await recorded({ receiver: url }), { onProgress: (progress) => got.push(progress) });
    onTestFinished(() => reader.close());
    renderHtml(reader);
    const attempts = reader.lastRowOf("attempt");
    expect(got.findLast(({ operation }) => operation === "reading attempts")).toEqual({
      operation: "reading attempts",
      done: attempts,
      total: attempts,
    });
    [...reader.events({ types: ["mt_sent"] })].pop();
    const events = reader.lastRowOf("event");
    expect(got.at(-1)).toEqual({ operation: "reading events", done: events, total: events });
  });

  it("tells what follows a run: its indexes", async () => {
    const { onProgress, operations } = reports();
    await recorded({ onProgress });
    expect(operations()).toEqual(["indexing the recording"]);
  });

  it("tells of a replay what precedes the first event and follows the last one, not what it reads meanwhile", async () => {
    const source = await recorded();
    const { url } = await receiverThat((_, response) => response.end("{}"));
    const { onProgress, operations } = reports();
    let beforeStart: string[] = [];
    await replayRecording(source, {
      receiver: url,
      recording: join(temporaryFolder(), "again.db"),
      filters: { type: ["mo_sms"] },
      onProgress,
      onStart: () => (beforeStart = operations()),
    });
    expect([beforeStart, operations()]).toEqual([["reading events"], ["reading events", "indexing the recording"]]);
  });

  it("tells of a merge which table is joined, then what its result is computed from", async () => {
    const parts = [];
    for (const index of [1, 2]) parts.push(await recorded({ shard: { index, count: 2 } }));
    const { onProgress, operations } = reports();
    mergeRecordings(parts, { output: join(temporaryFolder(), "whole.db"), onProgress });
    expect(operations()).toEqual([
      "joining recordings, table",
      "reading events",
      "reading messages",
      "indexing the recording",
    ]);
  });
});
