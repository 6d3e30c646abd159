import { once } from "node:events";
import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Worker } from "node:worker_threads";
import { expect, it, onTestFinished } from "vitest";
import { openRecording, Recording } from "../../src/store/index.js";
import { temporaryFolder } from "../support/folder.js";
import { eventRow, meta } from "./samples.js";

function created(): { path: string; recording: Recording } {
  const path = join(temporaryFolder(), "run.db");
  const recording = Recording.create(path, meta);
  onTestFinished(() => recording.close());
  return { path, recording };
}

it("a thread that starts during the run continues after the rows of this one", async () => {
  const { path, recording } = created();
  await recording.writeInThread(() => expect.unreachable(), { afterRows: 10 });
  for (let row = 1; row <= 2000; row++) {
    recording.event(eventRow({ row, number: row }));
    if (row % 10 === 0) await new Promise<void>((resolve) => recording.whenFlushed(() => setImmediate(resolve)));
  }
  recording.finish({ digest: "", resultJson: "{}", endedWallMs: 1 });
  expect(recording.kept("rows")).toBe("2000");
  recording.close();
  const reader = openRecording(path);
  onTestFinished(() => reader.close());
  expect(Array.from(reader.events(), ({ number }) => number)).toEqual(Array.from({ length: 2000 }, (_, at) => at + 1));
});

it("a thread that starts too late, when the recording is closed and gone, fails nothing", async () => {
  const { path, recording } = created();
  await recording.writeInThread(() => expect.unreachable(), { afterRows: 10 });
  const started = once(process, "worker");
  for (let row = 1; row <= 10; row++) recording.event(eventRow({ row, number: row }));
  recording.finish({ digest: "", resultJson: "{}", endedWallMs: 1 });
  recording.close();
  rmSync(path);
  const [thread] = (await started) as [Worker];
  await once(thread, "exit");
});
