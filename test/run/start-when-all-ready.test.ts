import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { LabError, openRecording, type RunOptions, type RunOutcome } from "../../src/index.js";
import { mergeRecordings } from "../../src/fleet/index.js";
import { FolderClock } from "../../src/run/barrier/folder-clock.js";
import type { PartStatus } from "../../src/run/barrier/part-status.js";
import { handset } from "../cli/terminal.js";
import { play, receiverThat, smallDay } from "../end-to-end/support.js";
import { temporaryFolder } from "../support/folder.js";
import { until } from "../support/until.js";

const short = ["lasts=10m", "story=[]"];

/** Plays one part that waits for the others in `folder/start`, and records in `folder`. */
function part(
  folder: string,
  index: number,
  options: RunOptions & { set?: string[]; text?: string; count?: number } = {},
): Promise<RunOutcome> {
  const { text = smallDay, count = 2, startWhenAllReady, ...rest } = options;
  return play(text, {
    receiver: "none",
    set: short,
    recording: join(folder, `part-${index}.db`),
    shard: { index, count },
    startWhenAllReady: { folder: join(folder, "start"), ...startWhenAllReady },
    ...rest,
  });
}

function statusOf(folder: string, index: number): PartStatus | undefined {
  const path = join(folder, "start", `status-${index}.json`);
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as PartStatus) : undefined;
}

async function refusalOf(run: Promise<unknown>): Promise<LabError> {
  const error: unknown = await run.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof LabError)) throw new Error(`it was not refused: ${String(error)}`);
  return error;
}

describe("parts with --start-when-all-ready", () => {
  it("begin at one instant, name whom they wait for, measure their clocks, and join to the whole run", async () => {
    const folder = temporaryFolder();
    const first: string[] = [];
    const arrivals = new Map<number, number>();
    const receiver = await receiverThat((body, response) => {
      const channel = Number(new URLSearchParams(body).get("relayer"));
      if (!arrivals.has(channel)) arrivals.set(channel, Date.now());
      response.end("{}");
    });
    const startWhenAllReady = { folder: join(folder, "start"), onWait: (text: string) => first.push(text) };
    const one = part(folder, 1, { receiver: receiver.url, startWhenAllReady });
    await until(() => statusOf(folder, 1)?.state === "ready", "part 1 is ready");
    expect(receiver.got).toEqual([]);
    const outcomes = await Promise.all([one, part(folder, 2, { receiver: receiver.url })]);
    expect(first[0]).toBe("waiting until part 2 of 2 is ready");
    expect(first.at(-1)).toBe("");
    const starts = outcomes.map(({ result }) => result.start);
    expect(starts[0]?.atMs).toBe(starts[1]?.atMs);
    for (const start of starts) {
      // The folder's server is this machine.
      expect(Math.abs(start?.clockOffsetMs ?? Infinity)).toBeLessThanOrEqual((start?.clockUncertaintyMs ?? 0) + 5);
    }
    expect([...arrivals.values()].every((atMs) => atMs >= (starts[0]?.atMs ?? Infinity) - 10)).toBe(true);
    for (const index of [1, 2]) {
      expect(statusOf(folder, index)).toMatchObject({
        state: "ended",
        exitCode: 0,
        digest: outcomes[index - 1]?.result.digest,
      });
    }
    const whole = await play(smallDay, { receiver: receiver.url, set: short });
    const { result } = mergeRecordings([join(folder, "part-1.db"), join(folder, "part-2.db")], {
      output: join(folder, "all.db"),
    });
    expect(result.digest).toBe(whole.result.digest);
  });

  it("give `starts: now` one meaning, also in paced runs", async () => {
    const folder = temporaryFolder();
    const text = smallDay.replace("2026-03-04T06:00:00.000Z", "now");
    const options: RunOptions & { text: string } = { text, pace: "10000x" };
    const outcomes = await Promise.all([part(folder, 1, options), part(folder, 2, options)]);
    const startsOf = [1, 2].map((index) => {
      const reader = openRecording(join(folder, `part-${index}.db`));
      const { startsAtMs } = reader.meta();
      reader.close();
      return startsAtMs;
    });
    expect(startsOf[0]).toBe(startsOf[1]);
    expect(outcomes[0].result.start?.atMs).toBeGreaterThanOrEqual(startsOf[0] ?? Infinity);
    expect(Math.abs((startsOf[0] ?? 0) - Date.now())).toBeLessThan(60_000);
  });

  it("end with 3 after the limit, name the missing parts, and leave nothing that hinders a retry", async () => {
    const folder = temporaryFolder();
    const wait = { folder: join(folder, "start"), limitMs: 50 };
    const refusal = await refusalOf(part(folder, 2, { count: 7, startWhenAllReady: wait }));
    expect(refusal.isUsage).toBe(false);
    expect(refusal.message).toBe("parts 1, 3–7 of 7 were not ready within 0 s");
    expect(refusal.hint).toContain("--ready-within 1h");
    expect(readdirSync(folder)).toEqual(["start"]);
    expect(readdirSync(join(folder, "start"))).toEqual(["run.json"]);
    const others = [1, 2, 3, 4, 5, 6, 7].map((index) => part(folder, index, { count: 7 }));
    expect((await Promise.all(others)).map(({ exitCode }) => exitCode)).toEqual([0, 0, 0, 0, 0, 0, 0]);
  });

  it("leave nothing behind when Ctrl-C ends the wait", async () => {
    const folder = temporaryFolder();
    const file = join(folder, "day.yaml");
    writeFileSync(file, smallDay);
    const start = join(folder, "start");
    const ended = handset(
      [
        "run",
        file,
        "--shard",
        "2/2",
        "--start-when-all-ready",
        start,
        "--recording",
        join(folder, "2.db"),
        "-r",
        "none",
      ],
      {
        interrupts: (press) => void until(() => statusOf(folder, 2)?.state === "ready", "part 2 is ready").then(press),
      },
    );
    const { code, stderr } = await ended;
    expect(code).toBe(3);
    expect(stderr).toContain("waiting until part 1 of 2 is ready");
    expect(stderr).toContain("stopped while waiting for the other parts; nothing was sent");
    expect(readdirSync(folder).toSorted()).toEqual(["day.yaml", "start"]);
    expect(readdirSync(start)).toEqual(["run.json"]);
  });

  it("recognise the files of an earlier start, and of another run", async () => {
    const folder = temporaryFolder();
    const start = join(folder, "start");
    // A part that was killed while it waited.
    await refusalOf(part(folder, 1, { startWhenAllReady: { folder: start, limitMs: 1 } }));
    const stale = {
      part: 1,
      count: 2,
      process: "x",
      host: "elsewhere",
      pid: 1,
      state: "ready",
      writtenMs: 0,
      offsetMs: 0,
      uncertaintyMs: 0,
      recording: null,
    };
    writeFileSync(join(start, "status-1.json"), JSON.stringify(stale));
    writeFileSync(join(start, "start.json"), JSON.stringify({ atMs: 1, processes: ["x", "y"] }));
    const old = new Date(Date.now() - 60_000);
    utimesSync(join(start, "status-1.json"), old, old);
    const wait = { folder: start, limitMs: 300 };
    const refusal = await refusalOf(part(folder, 2, { startWhenAllReady: wait }));
    expect(refusal.message).toMatch(
      /^part 1 of 2 was not ready within 0 s:\n {2}part 1 on elsewhere: ready, silent for \d+ s$/,
    );
    for (const [options, difference] of [
      [{ set: [...short, "seed=8"] }, "its seed is 7, not 8"],
      [{ count: 3 }, "its number of parts is 2, not 3"],
      [{ text: `${smallDay}# changed\n` }, "its scenario differs"],
      [{ pace: "1x" }, "its pace is lockstep, not 1x"],
    ] as const) {
      const other = await refusalOf(
        part(folder, 2, { ...options, startWhenAllReady: wait } as Parameters<typeof part>[2]),
      );
      expect(other.isUsage).toBe(true);
      expect(other.message).toContain(`${start} has the files of another run: ${difference}`);
      expect(other.hint).toContain(`rm -r ${start}`);
    }
    expect((await Promise.all([part(folder, 1), part(folder, 2)])).map(({ exitCode }) => exitCode)).toEqual([0, 0]);
  });

  it.each([
    [["--start-when-all-ready", "x"], "waits for the other parts of a fleet: add --shard"],
    [["--start-when-all-ready", "x", "--shard", "1/2", "--start-at", "+1s"], "does not work with --start-at"],
    [["--start-when-all-ready", "x", "--processes", "2"], "does not work with --processes"],
    [["--ready-within", "1m"], "--ready-within is for --start-when-all-ready FOLDER"],
    [["--start-when-all-ready", "/dev/null/x", "--shard", "1/2"], "the shared folder /dev/null/x cannot be used"],
  ])("%s is refused", async (options, why) => {
    const file = join(temporaryFolder(), "day.yaml");
    writeFileSync(file, smallDay);
    const { code, stderr } = await handset(["run", file, ...options, "-r", "none", "--recording", `${file}.db`]);
    expect(code).toBe(why.includes("cannot be used") ? 3 : 2);
    expect(stderr).toContain(why);
  });
});

describe("the clock of a shared folder", () => {
  it("is known within the narrowest common bounds of its probes", () => {
    const clock = new FolderClock();
    // The server is 5000 ms ahead. The first write took 400 ms, the second 4 ms.
    clock.note(15_300.5, { fromMs: 10_000, untilMs: 10_400 });
    clock.note(25_001.5, { fromMs: 20_000, untilMs: 20_004 });
    clock.note(35_002.5, { fromMs: 30_000, untilMs: 30_004 });
    const { offsetMs, uncertaintyMs } = clock.offset() ?? { offsetMs: 0, uncertaintyMs: Infinity };
    expect(Math.abs(offsetMs - 5000)).toBeLessThanOrEqual(uncertaintyMs);
    expect(uncertaintyMs).toBeLessThan(10);
    expect(clock.correctionMs()).toBe(offsetMs);
  });

  it("is not corrected by less than its uncertainty, as where files are stamped with whole seconds", () => {
    const clock = new FolderClock();
    for (const fromMs of [10_300, 11_800, 14_100]) {
      clock.note(Math.floor(fromMs / 1000) * 1000, { fromMs, untilMs: fromMs + 2 });
    }
    const { offsetMs, uncertaintyMs } = clock.offset() ?? { offsetMs: Infinity, uncertaintyMs: 0 };
    expect(Math.abs(offsetMs)).toBeLessThanOrEqual(uncertaintyMs);
    expect(clock.correctionMs()).toBe(0);
  });
});
