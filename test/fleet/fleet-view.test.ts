import { existsSync, readFileSync, renameSync, utimesSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Latency } from "../../src/measure/index.js";
import { type PartLoad, type PartStatus, statusFile, storedLatency } from "../../src/run/barrier/part-status.js";
import { SharedFolder } from "../../src/run/barrier/shared-folder.js";
import { handset } from "../cli/terminal.js";
import { play, smallDay } from "../end-to-end/support.js";
import { temporaryFolder } from "../support/folder.js";
import { until } from "../support/until.js";

/** The load of a part whose answers took these times. */
function loadOf(answersMs: readonly number[], more: Partial<PartLoad> = {}): PartLoad {
  const [delivery, lateness] = [new Latency(), new Latency()];
  for (const ms of answersMs) delivery.record(ms);
  for (let count = 0; count < answersMs.length; count++) lateness.record(1);
  return {
    atMs: 60_000,
    lastsMs: 120_000,
    events: answersMs.length,
    accepted: answersMs.length,
    failures: 0,
    inFlight: 1,
    retrying: 0,
    waitingOnPhones: 0,
    due: 10,
    answered: answersMs.length / 10,
    seconds: 10,
    delivery: storedLatency(delivery),
    lateness: storedLatency(lateness),
    ...more,
  };
}

/** A folder with what parts on other machines have written. */
function folderWith(count: number, statuses: readonly (Partial<PartStatus> & { readonly part: number })[]): string {
  const path = temporaryFolder();
  const folder = SharedFolder.create(path);
  folder.write("run.json", { "number of parts": String(count) });
  for (const status of statuses) {
    const whole: PartStatus = {
      count,
      process: `p${status.part}`,
      host: `node-${status.part}`,
      pid: 100 + status.part,
      state: "playing",
      writtenMs: Date.now(),
      offsetMs: 0,
      uncertaintyMs: 1,
      recording: `/lab/part-${status.part}.db`,
      ...status,
    };
    folder.write(statusFile(status.part), whole);
  }
  return path;
}

const answers = (count: number, ms: number): number[] => Array.from({ length: count }, () => ms);

describe("handset watch", () => {
  it("joins the histograms of the parts: neither their average nor the worst part's percentile", async () => {
    const folder = folderWith(3, [
      // 1 % of all answers are slow, but 10 % of the second part's.
      { part: 1, load: loadOf(answers(1800, 10)) },
      { part: 2, load: loadOf([...answers(180, 10), ...answers(19, 900)], { atMs: 30_000 }) },
    ]);
    const { code, stdout } = await handset(["watch", folder, "--once", "--json"]);
    expect(code).toBe(0);
    const seen = JSON.parse(stdout) as Record<string, unknown>;
    expect(seen).toMatchObject({
      parts: 3,
      states: { playing: 2, unseen: 1 },
      load: { atMs: 30_000, due: 20, answered: 199.9, events: 1999, seconds: 10, latencyMs: { p99: 10.007, max: 900 } },
    });
    expect(JSON.stringify(seen)).toContain('"p99":900');
    expect(stdout).not.toContain("pairs");
  });

  it("shows each part in 80 columns: who plays, who failed and why, who is silent", async () => {
    const folder = folderWith(4, [
      { part: 1, load: loadOf(answers(50, 12)) },
      {
        part: 2,
        state: "failed",
        error: "no attempt ever got a connection: is the receiver at http://10.0.0.7:8080/ up?",
      },
      { part: 3, state: "ended", exitCode: 1, load: loadOf(answers(50, 12)) },
    ]);
    const { stdout } = await handset(["watch", folder, "--once"]);
    const lines = stdout.split("\n");
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(80);
    expect(lines[0]).toBe("4 parts: 1 failed, 1 not seen yet, 1 playing, 1 ended");
    expect(lines[1]).toBe("50 % (00:01:00 of 00:02:00)   due 10/s   answered 5/s");
    expect(lines[2]).toBe("latency of 10 s: p50 12 ms   p99 12 ms   max 12 ms   late p99 1.0 ms");
    expect(stdout).toMatch(/\n +1 playing +00:01:00 +5\/s +12 ms +12 ms +1\.0 ms +0 node-1\n/);
    expect(stdout).toMatch(/\n +2 failed +\d+ s ago: no attempt ever got a connection/);
    expect(stdout).toMatch(/\n +3 exit 1 .* 0 node-3\n/);
    expect(stdout).toMatch(/\n +4 unseen\n/);
  });

  it("names parts that are silent before they are lost", async () => {
    const folder = folderWith(
      3,
      [1, 2, 3].map((part) => ({ part, load: loadOf([1]) })),
    );
    const old = new Date(Date.now() - 10_000);
    for (const part of [1, 2]) utimesSync(join(folder, statusFile(part)), old, old);
    const { stdout } = await handset(["watch", folder, "--once"]);
    expect(stdout).toMatch(/^3 parts: 3 playing\nparts 1, 2 silent for up to \d\d s\n/);
  });

  it("has a row for at most 16 parts, those in trouble among them", async () => {
    const statuses = Array.from({ length: 99 }, (_, index) => ({ part: index + 1, load: loadOf([1]) }));
    const { stdout } = await handset(["watch", folderWith(100, statuses), "--once"]);
    expect(stdout).toMatch(/\n 100 unseen\nand 84 more: 84 playing\n/);
  });

  it("writes a line each time elsewhere, and ends with the last part", async () => {
    const folder = temporaryFolder();
    const run = (index: number): Promise<unknown> =>
      play(smallDay, {
        receiver: "none",
        set: ["lasts=10m", "story=[]"],
        recording: join(folder, `part-${index}.db`),
        shard: { index, count: 2 },
        startWhenAllReady: { folder: join(folder, "go") },
      });
    const one = run(1);
    await until(() => existsSync(join(folder, "go", "run.json")), "the folder exists");
    const watching = handset(["watch", join(folder, "go"), "--every", "50ms"]);
    await Promise.all([one, run(2)]);
    const { code, stdout } = await watching;
    expect(code).toBe(0);
    const lines = stdout.trim().split("\n");
    expect(lines.at(-1)).toMatch(
      /^2 ended, 100 % \(00:10:00 of 00:10:00\), answered 0\/s, p50 –, p99 –, \d+ events, 0 failures$/,
    );
  });

  it("ends with 3 when no part runs any more, and says why each has not ended", async () => {
    const folder = folderWith(5, [
      { part: 1, state: "ended", exitCode: 0 },
      { part: 2, state: "failed", error: "the disk is full" },
      { part: 3, load: loadOf([1]) },
      { part: 4, state: "stopped", error: "part 4 of 5 was stopped before its end" },
    ]);
    const old = new Date(Date.now() - 3_600_000);
    utimesSync(join(folder, statusFile(3)), old, old);
    const { code, stdout, stderr } = await handset(["watch", folder, "--every", "10ms", "--wait", "50ms"]);
    expect(code).toBe(3);
    const lines = stdout.trim().split("\n");
    expect(lines[0]).toMatch(
      /^1 failed, 1 lost, 1 stopped, 1 not seen yet, 1 ended, .*, no part runs: this ends in 1 s unless one begins$/,
    );
    expect(lines.at(-1)).toMatch(/, no part runs any more$/);
    expect(stderr.replaceAll(/\d+ s ago/g, "N s ago").replaceAll(/\b1 h( \d+ min)? ago/g, "1 h ago")).toBe(
      "handset: 4 of 5 parts have not ended, and no part has run for 1 s:\n" +
        "  part 2: it failed N s ago on node-2 (process 102): the disk is full\n" +
        "  part 3: it was last heard of 1 h ago on node-3 (process 103); resume it: handset run --resume /lab/part-3.db\n" +
        "  part 4: it was stopped N s ago on node-4 (process 104); resume it: handset run --resume /lab/part-4.db\n" +
        "  part 5: it was never started\n" +
        `  start or resume them, and watch again; handset merge ${folder} joins them when all have ended\n`,
    );
    const at = (await handset(["watch", folder, "--once"])).stdout;
    expect(at).toMatch(/\n +3 lost +silent for 1 h( \d+ min)?, node-3, process 103\n/);
    expect(at).toMatch(/\n +4 stopped +\d+ s ago, node-4; it can be resumed\n/);
  });

  it("waits for a part that may be resumed, and ends with the largest exit code of the parts", async () => {
    const folder = folderWith(2, [
      { part: 1, state: "ended", exitCode: 1 },
      { part: 2, state: "stopped" },
    ]);
    const watching = handset(["watch", folder, "--every", "10ms", "--wait", "10m"]);
    const path = join(folder, statusFile(2));
    const status = JSON.parse(readFileSync(path, "utf8")) as PartStatus;
    SharedFolder.create(folder).write(statusFile(2), { ...status, state: "ended", exitCode: 0 });
    expect((await watching).code).toBe(1);
  });

  it("refuses a folder of no fleet", async () => {
    const { code, stderr } = await handset(["watch", temporaryFolder()]);
    expect(code).toBe(2);
    expect(stderr).toContain("is not the folder of a fleet\n  the parts write it: handset run");
  });
});

describe("handset merge FOLDER", () => {
  it("waits for the recordings of all parts, also for copies that other machines make", async () => {
    const [folder, disk] = [temporaryFolder(), temporaryFolder()];
    const paths = [1, 2].map((index) => join(disk, `part-${index}.db`));
    const run = (index: number): Promise<unknown> =>
      play(smallDay, {
        receiver: "none",
        set: ["lasts=10m", "story=[]"],
        recording: paths[index - 1] ?? "",
        shard: { index, count: 2 },
        startWhenAllReady: { folder },
      });
    const playing = [run(1), run(2)];
    await until(() => existsSync(join(folder, "run.json")), "the folder exists");
    const output = join(disk, "all.db");
    const merging = handset(["merge", folder, "-o", output, "--wait", "1m"]);
    await Promise.all(playing);
    const { code, stderr } = await merging;
    expect(stderr).toMatch(/^waiting for [12] of 2 parts: part \d: it /);
    expect(code).toBe(0);
    // On another machine, the recordings are where they were copied.
    for (const path of paths) renameSync(path, join(folder, path.endsWith("part-1.db") ? "part-1.db" : "part-2.db"));
    const again = await handset(["merge", folder, "-o", join(disk, "again.db"), "--json"]);
    expect(again.code).toBe(0);
    // A copy that is not complete.
    writeFileSync(join(folder, "part-2.db"), "SQLite");
    const early = await handset(["merge", folder, "-o", join(disk, "early.db"), "--wait", "1ms"]);
    expect(early.code).toBe(3);
    expect(early.stderr).toContain(`1 of 2 parts is missing:\n  part 2: its recording is being copied to ${folder}`);
  });

  it("names the missing parts with what is known, after the time without a sign of life", async () => {
    const folder = folderWith(4, [
      { part: 1, state: "failed", error: "the disk is full" },
      { part: 2, state: "ended", exitCode: 0, bytes: 1 },
      { part: 4, state: "ended", recording: null },
    ]);
    const { code, stderr } = await handset(["merge", folder, "-o", join(folder, "all.db"), "--wait", "1ms"]);
    expect(code).toBe(3);
    expect(stderr.replaceAll(/\d+ s ago/g, "N s ago")).toContain(
      "handset: 4 of 4 parts are missing:\n" +
        "  part 1: it failed N s ago on node-1 (process 101): the disk is full\n" +
        `  part 2: its recording /lab/part-2.db is on node-2: copy it to ${folder}\n` +
        "  part 3: it was never started\n" +
        "  part 4: it kept no recording\n",
    );
    expect(hostname()).not.toBe("node-1");
  });

  it("is not asked to wait for files that are named", async () => {
    const { code, stderr } = await handset(["merge", "1.db", "2.db", "-o", "all.db", "--wait", "1m"]);
    expect(code).toBe(2);
    expect(stderr).toContain("--wait is for the folder of run --start-when-all-ready");
  });
});
