import { describe, expect, it } from "vitest";
import { openRecording } from "../../src/index.js";
import { join } from "node:path";
import { play, receiverThat } from "../end-to-end/support.js";
import { handset } from "../cli/terminal.js";
import { temporaryFolder } from "../support/folder.js";

const minute = `
name: A minute
starts: now
lasts: 1m
handsets:
  clinic: { count: 1, phone: "+2507880{00000}" }
story:
  - at: 1s
    event: { of: clinic, type: custom, fields: { note: hi } }
`;

describe("a run with --start-at", () => {
  it("starts at that wall time, and `starts: now` means it", async () => {
    let firstAtMs = 0;
    const receiver = await receiverThat((_, response) => {
      firstAtMs ||= Date.now();
      response.end("{}");
    });
    const startAtMs = Date.now() + 1500;
    const recording = join(temporaryFolder(), "run.db");
    const { result } = await play(minute, { receiver: receiver.url, pace: "1000x", startAtMs, recording });
    // A virtual second takes a wall millisecond.
    expect(firstAtMs).toBeGreaterThanOrEqual(startAtMs);
    // On a busy machine its only event may be late, which is another warning.
    expect((result.warnings ?? []).filter((warning) => !warning.startsWith("the run fell behind"))).toEqual([]);
    const reader = openRecording(recording);
    expect(reader.meta().startsAtMs).toBe(startAtMs);
    reader.close();
  });

  it("warns if it is in the past", async () => {
    const { result } = await play(minute, { receiver: "none", pace: "1000x", startAtMs: Date.now() - 5000 });
    expect(result.warnings?.join()).toMatch(/the run began 5\.\d s after --start-at/);
  });

  it("ends at once if it is stopped while it waits", async () => {
    const controller = new AbortController();
    const { result } = await play(minute, {
      receiver: "none",
      startAtMs: Date.now() + 3_600_000,
      signal: controller.signal,
      onStart: () => setImmediate(() => controller.abort()),
    });
    expect(result.problems.join()).toContain("stopped by hand");
  });

  it.each(["tomorrow", "2026-03-04T06:00:00", "30s", "+30"])("is not '%s'", async (when) => {
    const { code, stderr } = await handset(["run", "day.yaml", "--start-at", when]);
    expect(code).toBe(2);
    expect(stderr).toContain(
      "it must be a timestamp with its zone such as 2026-03-04T06:00:00Z, or a span such as +30s",
    );
  });
});
