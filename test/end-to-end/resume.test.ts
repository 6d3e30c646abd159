import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openRecording, runScenario } from "../../src/index.js";
import { Connection } from "../../src/store/sqlite/connection.js";
import { handset } from "../cli/terminal.js";
import { temporaryFolder } from "../support/folder.js";
import { busyDay, killOften, MarkedReceiver, RunProcess, scenarioFile } from "./killed-run.js";
import { parse } from "./support.js";
import { runs } from "../support/effort.js";
import { randomNumbers } from "../support/random.js";

const seed = Number(process.env["KILL_SEED"] ?? Date.now() % 100_000);
const paces = ["max", "lockstep", "240x"] as const;

/** Number of kills for a pace: 2 for one pace that the seed selects, 1 for the others; 20 a night. */
function killsOf(pace: (typeof paces)[number]): number {
  return runs(1 + Number(paces[seed % paces.length] === pace), 20);
}

/** Expects equality within 1%: histograms keep three digits. */
function expectNear(measured: number | null | undefined, ms: number): void {
  expect.soft(Math.abs((measured ?? NaN) - ms)).toBeLessThanOrEqual(0.01 * ms + 0.01);
}

describe("a run that is killed at any moment and resumed", () => {
  it.each(paces)(
    "%s: skips no event, marks what may be sent twice, and writes the report of the whole run",
    async (pace) => {
      const kills = killsOf(pace);
      const receiver = await MarkedReceiver.start();
      const text = busyDay(receiver.url, "8m");
      const files = scenarioFile(text);
      // Seeds the moments of the kills, not the scenario; a failure prints the seed.
      const random = randomNumbers(seed);
      const report = join(temporaryFolder(), "report.html");
      const account = await killOften(receiver, { ...files, pace, kills, requests: 860, random, report });
      const { result } = account;
      expect.soft(account.kills, `KILL_SEED=${seed}`).toBeGreaterThan(0);
      expect.soft(existsSync(report)).toBe(true);
      expect.soft(account, `KILL_SEED=${seed}`).toMatchObject({ missing: [], unmarked: [], recordedTwice: 0 });
      // A repeat that was in flight at the next kill is not recorded, and is sent again.
      expect.soft(account.marked.recorded).toBeLessThanOrEqual(account.marked.received);
      expect.soft(result.problems).toEqual([]);
      expect.soft(result.lost).toBe(0);
      expect.soft(existsSync(`${files.recording}.lock`)).toBe(false);
      // Re-execution rebuilds the measurements: they are the whole run's.
      const attempts = Object.values(result.attempts).reduce((sum, count) => sum + count, 0);
      const reader = openRecording(files.recording);
      expect.soft([...reader.attempts()].length).toBe(attempts);
      const trips = [...reader.roundTrips()].map(({ wallMs }) => wallMs ?? 0);
      expect.soft(trips.length).toBe(result.roundTrips?.matched);
      if (pace !== "lockstep") expectNear(result.roundTripMs?.max, Math.max(...trips));
      const latencies = [...reader.attempts()].map(({ latencyMs, status }) => (status === null ? 0 : latencyMs));
      expectNear(result.latencyMs.max, Math.max(...latencies));
      reader.close();
      expect.soft(result.replies.valid).toBeGreaterThan(0);
      expect.soft(result.roundTrips?.matched).toBe(result.replies.valid);
      if (pace !== "lockstep") return;
      const whole = await runScenario(parse(text), { recording: join(temporaryFolder(), "whole.db") });
      expect.soft(result.digest).toBe(whole.result.digest);
      expect.soft(result.events).toEqual(whole.result.events);
      expect.soft(result.replies).toEqual(whole.result.replies);
    },
  );

  it("resumes a part of a fleet as that part; not while another process plays it, which readers may read", async () => {
    const receiver = await MarkedReceiver.start();
    const files = scenarioFile(busyDay(receiver.url, "5m"));
    const first = new RunProcess([
      files.scenario,
      "--shard",
      "1/2",
      "--recording",
      files.recording,
      "--no-report",
      "-q",
    ]);
    // SIGSTOP keeps the run alive, with its lock, but without progress.
    await new Promise<void>((resolve) => receiver.at(60, resolve));
    first.child.kill("SIGSTOP");
    const early = await handset(["run", "--resume", files.recording, "-q", "--no-report"]);
    expect(early.stderr).toContain("another program holds it");
    expect(early.code).toBe(3);
    expect(eventsIn(files.recording).length).toBeGreaterThan(0);
    first.kill();
    expect((await first.ended).signal).toBe("SIGKILL");
    const { code, stdout } = await handset(["run", "--resume", files.recording, "--json", "-q", "--no-report"]);
    expect(code).toBe(0);
    const again = await runScenario(parse(busyDay(receiver.url, "5m")), {
      recording: join(temporaryFolder(), "again.db"),
      shard: { index: 1, count: 2 },
    });
    expect(JSON.parse(stdout)).toMatchObject({ digest: again.result.digest, events: again.result.events });
  });
});

describe("a run with inputs by hand", () => {
  it.each(["max", "lockstep", "240x"])("%s: they are applied again, at the same position", async (pace) => {
    const receiver = await MarkedReceiver.start();
    // At max the world may run far ahead of the inputs.
    const files = scenarioFile(busyDay(receiver.url, pace === "max" ? "9m" : "5m"));
    const library = new URL("../../dist/bin/index.js", import.meta.url).href;
    const steered = ["test/end-to-end/steered-run.mjs", library, files.scenario, files.recording, pace];
    const child = spawn(process.execPath, steered, { stdio: "inherit" });
    expect(await once(child, "exit")).toEqual([null, "SIGKILL"]);
    const before = eventsIn(files.recording);
    const { code, stdout, stderr } = await handset(["run", "--resume", files.recording, "--json", "-q", "--no-report"]);
    expect(stderr).toBe("");
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ lost: 0, problems: [] });
    const after = eventsIn(files.recording);
    expect(after.slice(0, before.length)).toEqual(before);
    expect(after.filter((body) => body.includes("by+hand") || body.includes("by%20hand"))).toHaveLength(1);
    const reader = openRecording(files.recording);
    const clock = pace === "240x" ? ["clock", "clock"] : [];
    expect([...reader.inputs()].map(({ kind }) => kind)).toEqual(["hand", ...clock, "hand"]);
    reader.close();
  });
});

/** The bodies of a recording's events, in order. */
function eventsIn(recording: string): string[] {
  const reader = openRecording(recording);
  try {
    return [...reader.eventRows()].map(({ body }) => body);
  } finally {
    reader.close();
  }
}

describe("a recording that cannot be resumed", () => {
  const day = (url: string): string => busyDay(url, "4m");

  it("one whose run has ended", async () => {
    const receiver = await MarkedReceiver.start();
    const files = scenarioFile(day(receiver.url));
    const played = await handset(["run", files.scenario, "--recording", files.recording, "-q", "--no-report"]);
    expect(played.code).toBe(0);
    const { code, stderr } = await handset(["run", "--resume", files.recording]);
    expect(stderr).toContain("has ended");
    expect(code).toBe(2);
  });

  it.each([["--api"], ["--data"]])("one with an account from outside (%s)", async (flag) => {
    const receiver = await MarkedReceiver.start();
    const files = scenarioFile(day(receiver.url));
    const account = scenarioFile(
      'account: { name: Farm line }\ncontacts:\n  - { name: Ann, phone: "+250781999999" }\n',
    ).scenario;
    const more = flag === "--api" ? [flag, "0"] : [flag, account];
    const cutOff = join(temporaryFolder(), "cut-off.db");
    let press = (): void => undefined;
    // A copy of the database during the run is what a kill would leave.
    receiver.at(20, () => {
      const connection = new Connection(files.recording);
      connection.exec(`VACUUM INTO '${cutOff}'`);
      connection.close();
      press();
    });
    const args = ["run", files.scenario, "--recording", files.recording, "-q", "--no-report", ...more];
    await handset(args, { interrupts: (pressed) => (press = pressed) });
    const { code, stderr } = await handset(["run", "--resume", cutOff]);
    expect(stderr).toContain("had an account from outside");
    expect(code).toBe(2);
  });
});
