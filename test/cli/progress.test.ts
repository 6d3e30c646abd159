import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { LiveProgress } from "../../src/cli/terminal/progress.js";
import { temporaryFolder } from "../support/folder.js";
import { handset } from "./terminal.js";

describe("the progress of a run", () => {
  it("says beforehand how long a paced run takes, until when, and what makes it shorter", async () => {
    const file = join(temporaryFolder(), "quiet.yaml");
    writeFileSync(file, 'name: Quiet\nlasts: 3h\nhandsets:\n  clinic: { count: 1, phone: "+250788000000" }\n');
    const argv = ["run", file, "-r", "none", "--recording", "none", "--no-report", "--pace"];
    // It is stopped before it begins to play.
    const stopped = { interrupts: (press: () => void) => press() };
    const slow = await handset([...argv, "1x"], stopped);
    expect(slow.stderr).toMatch(/This takes 3 h of wall time at 1x, until \d\d:\d\d\n--pace 60x plays it in 3 min\n/);
    const fast = await handset([...argv, "600x"], stopped);
    expect(fast.stderr).not.toContain("This takes");
  });

  it("writes a line every ten seconds where there is no terminal, in at most 80 columns", async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    let written = "";
    const output = { isTTY: false, columns: 80, colours: 0, write: (text: string) => void (written += text) } as const;
    const progress = await LiveProgress.on(output);
    const gauge = {
      due: 480,
      answered: 200,
      p50Ms: 31_000,
      p99Ms: 62_000,
      latenessP99Ms: 5,
      waitingForConnection: 12_463,
    };
    const stands = {
      atMs: 320_000,
      lastsMs: 7_200_000,
      steps: 1,
      events: 153_600,
      accepted: 64_000,
      failures: 1234,
      inFlight: 12_513,
      retrying: 777,
      waitingOnPhones: 4321,
      traffic: { times: 2.5, state: "running" as const },
    };
    let isPaced = true;
    let drainsToMs: number | undefined;
    progress.start("Day", {
      receiver: "http://127.0.0.1:1/",
      isBundled: false,
      recording: "day.db",
      progress: () =>
        drainsToMs !== undefined
          ? { ...stands, lastsMs: 310_000, drainsToMs, inFlight: 170 }
          : isPaced
            ? { ...stands, gauge }
            : stands,
    });
    written = "";
    vi.advanceTimersByTime(9_999);
    expect(written).toBe("");
    vi.advanceTimersByTime(1);
    expect(written).toMatchInlineSnapshot(`
      "00:05:20 of 02:00:00: due 480/s, answered 200/s, p50 31.0 s, p99 62.0 s,
        waiting 12,463, in flight 50, late 5 ms, failures 1,234, retrying 777,
        on phones 4,321, traffic 2.5x
      "
    `);
    isPaced = false;
    vi.advanceTimersByTime(10_000);
    // A drain that is over has attempts in flight still: it is not said to continue.
    drainsToMs = 330_000;
    vi.advanceTimersByTime(10_000);
    drainsToMs = 320_000;
    vi.advanceTimersByTime(10_000);
    progress.end();
    vi.advanceTimersByTime(60_000);
    const lines = written.trimEnd().split("\n");
    expect(lines).toHaveLength(10);
    expect(lines.every((line) => line.length <= 80)).toBe(true);
    expect(written).toContain("1,234 failures");
    expect(lines.filter((line) => !line.startsWith(" ")).slice(2)).toEqual([
      expect.stringMatching(/^draining, 00:00:10 of at most 00:00:20: /),
      expect.stringMatching(/^time over, answers awaited: /),
    ]);
  });
});
