import { spawn, spawnSync } from "node:child_process";
import { createServer } from "node:http";
import { join } from "node:path";
import { statSync } from "node:fs";
import { text } from "node:stream/consumers";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { Worker } from "node:worker_threads";
import { openRecording, type RunResult } from "../../src/index.js";
import { type Ended, handset } from "../cli/terminal.js";
import { temporaryFolder } from "../support/folder.js";
import { startServer, type TestServer } from "../support/server.js";
import { RunProcess, scenarioFile } from "./killed-run.js";
import { play, receiverThat, smallDay } from "./support.js";
import { isNightly, runs } from "../support/effort.js";

/** A scenario in which farmers text at a constant rate. */
function texting({ perSecond, lasts }: { perSecond: number; lasts: string }): string {
  return `
name: Texting
seed: 5
starts: 2026-03-04T06:00:00.000Z
lasts: ${lasts}
handsets:
  clinic: { count: 50, phone: "+2507880{00000}" }
people:
  farmers: { count: 500, of: clinic, phone: "+2507811{00000}" }
traffic:
  - texts: { from: farmers, to: clinic, body: "maize 12kg" }
    rate: ${perSecond}/s
`;
}

function expectClosed({ ledger, lost }: RunResult): void {
  expect(lost).toBe(0);
  for (const account of Object.values(ledger)) expect(account.gap).toBe(0);
}

/** Runs a shell as root of separate user and mount namespaces, in which it may mount a small disk. */
const inNamespace = ["unshare", "--map-root-user", "--mount", "sh", "-c"];
const maySmallDisk =
  spawnSync("unshare", ["--map-root-user", "--mount", "sh", "-c", "mount -t tmpfs -o size=1m tmpfs /mnt"]).status === 0;

describe("a disk that is full", () => {
  // Some containers, and systems other than Linux, do not allow namespaces, so the test cannot mount a small disk.
  it.skipIf(!maySmallDisk)(
    "ends the run with 3 and says so; what is there can be read, and resumed when there is room",
    async () => {
      const { scenario } = scenarioFile(texting({ perSecond: 40, lasts: "10m" }));
      const disk = temporaryFolder();
      const script = `mount -t tmpfs -o size=8m tmpfs "$0" && exec "$@" || exit 99`;
      const commands = new URL("../../dist/cli/program.js", import.meta.url).href;
      const words = [process.execPath, "test/end-to-end/full-disk.mjs", commands, disk, scenario];
      const [program = "", ...rest] = [...inNamespace, script, disk, ...words];
      const child = spawn(program, rest, { stdio: ["ignore", "pipe", "inherit"] });
      onTestFinished(() => void child.kill("SIGKILL"));
      const { played, events, reported, resumed } = JSON.parse(await text(child.stdout)) as Record<string, Ended>;
      const ends = [played, events, reported, resumed].map((end) => end?.code);
      expect(ends, resumed?.stderr).toEqual([3, 0, 0, 0]);
      expect(played?.stderr).toContain("the disk is full; free some space");
      expect((JSON.parse(played?.stdout ?? "") as RunResult).problems.join()).toContain("the disk is full");
      const result = JSON.parse(resumed?.stdout ?? "") as RunResult;
      expectClosed(result);
      const kept = events?.stdout.trim().split("\n").length;
      expect(kept).toBeGreaterThan(500);
      expect(result.events["mo_sms"]).toBeGreaterThan(kept ?? NaN);
    },
  );
});

/** A receiver that stops and starts again on the same port. */
class RestartableReceiver {
  #server: TestServer | undefined;
  port = 0;
  requests = 0;

  constructor() {
    onTestFinished(() => this.stop());
  }

  async start(): Promise<void> {
    const server = createServer((request, response) => {
      this.requests++;
      request.resume().on("end", () => response.end("{}"));
    });
    this.#server = await startServer(server, this.port);
    this.port = this.#server.port;
  }

  stop(): void {
    void this.#server?.close();
  }
}

describe("a receiver that dies and returns", () => {
  it.each(["lockstep", "max"] as const)("%s: nothing is lost, and what failed is tried again", async (pace) => {
    const receiver = new RestartableReceiver();
    await receiver.start();
    let isStopped = false;
    const { result } = await play(texting({ perSecond: 2, lasts: "12m" }), {
      receiver: `http://127.0.0.1:${receiver.port}/`,
      recording: join(temporaryFolder(), "run.db"),
      pace,
      onStart: (start) => {
        const watch = setInterval(() => {
          const { failures, accepted } = start.progress();
          if (!isStopped && accepted > 500) {
            isStopped = true;
            receiver.stop();
          } else if (isStopped && failures > 200) {
            clearInterval(watch);
            void receiver.start();
          }
        }, 1);
        onTestFinished(() => clearInterval(watch));
      },
    });
    expectClosed(result);
    expect(result.attempts.connection).toBeGreaterThan(200);
    const { in: events, delivered, failed, queued } = result.ledger.events;
    expect(delivered + failed + queued).toBe(events);
    expect(delivered).toBeGreaterThan(500);
    // The receiver also counts requests whose connection broke before the answer.
    expect(receiver.requests).toBeGreaterThanOrEqual(delivered);
  });
});

describe("100,000 open failures", () => {
  it.each(["lockstep", "max"] as const)("%s: wait for their next try, and the ledger closes", async (pace) => {
    // A fiftieth of them in the suite.
    const perSecond = runs(9, 430);
    const { result, exitCode } = await play(texting({ perSecond, lasts: "4m" }), {
      receiver: "http://127.0.0.1:1/",
      recording: join(temporaryFolder(), "run.db"),
      pace,
    });
    expectClosed(result);
    expect(exitCode).toBe(3);
    expect(result.problems.join()).toContain("no attempt ever got a connection");
    expect(result.events["mo_sms"]).toBeGreaterThan(230 * perSecond);
    expect(result.ledger.events.queued).toBe(result.events["mo_sms"]);
    expect(result.attempts.connection).toBe(result.events["mo_sms"]);
    expect(process.memoryUsage().rss).toBeLessThan(1.5 * 2 ** 30);
  });
});

describe("the host's clock", () => {
  it.each(["lockstep", "max", 4000] as const)("%s: set back and forward, changes nothing", async (pace) => {
    vi.useFakeTimers({ toFake: ["Date"] });
    onTestFinished(() => void vi.useRealTimers());
    let requests = 0;
    const receiver = await receiverThat((_body, response) => {
      vi.setSystemTime(Date.UTC(requests++ % 2 === 0 ? 1990 : 2045, 0, 1));
      response.end("{}");
    });
    const recording = join(temporaryFolder(), "run.db");
    const { result } = await play(smallDay, { receiver: receiver.url, pace, recording });
    expectClosed(result);
    expect(result.problems).toEqual([]);
    // The host's clock jumps by decades, so an hour is far from both a jump and any load.
    const hourMs = 3_600_000;
    expect(result.wallMs).toBeLessThan(hourMs);
    expect(result.latencyMs.max).toBeLessThan(hourMs);
    const reader = openRecording(recording);
    for (const { sentWallMs, durationMs } of reader.attempts()) {
      expect(sentWallMs).toBeGreaterThanOrEqual(0);
      expect(sentWallMs).toBeLessThan(hourMs);
      expect(durationMs).toBeGreaterThanOrEqual(0);
    }
    reader.close();
    vi.useRealTimers();
    if (pace !== "lockstep") return;
    const still = await receiverThat((_body, response) => response.end("{}"));
    expect((await play(smallDay, { receiver: still.url, pace })).result.digest).toBe(result.digest);
  });
});

describe("a thread that ends in the middle", () => {
  it.each([
    ["sends events", 0, (_recording: string) => "the thread that sends events has ended"],
    [
      "writes the recording",
      1,
      (recording: string) => `cannot write the recording ${recording}: the thread that writes it`,
    ],
  ])(
    "ends the run with 3, when it is the one that %s; what is there can be read, and resumed",
    async (_, which, why) => {
      const { scenario, recording } = scenarioFile(texting({ perSecond: 20, lasts: "2m" }));
      const threads: Worker[] = [];
      const see = (worker: Worker): void => void threads.push(worker);
      process.on("worker", see);
      onTestFinished(() => void process.off("worker", see));
      const receiver = await receiverThat((_body, response) => {
        if (receiver.got.length === 1000) void threads[which]?.terminate();
        response.end("{}");
      });
      // Paced: with few cores, an unpaced run has no writer thread.
      const argv = ["--recording", recording, "--pace", "60x", "--no-report"];
      const { code, stderr } = await handset(["run", scenario, "-r", receiver.url, ...argv]);
      expect(stderr).toContain(why(recording));
      expect(stderr).toContain("handset run --resume");
      expect(code).toBe(3);
      const reader = openRecording(recording);
      const written = [...reader.attempts()].length;
      reader.close();
      expect(written).toBeGreaterThan(500);
      const resumed = await handset(["run", "--resume", recording, "--json", "--no-report"]);
      const result = JSON.parse(resumed.stdout) as RunResult;
      expect(resumed.code).toBe(0);
      expectClosed(result);
      const bodies = new Set(receiver.got.map(({ body }) => body));
      expect(bodies.size).toBe(result.events["mo_sms"]);
    },
  );
});

describe("the bound of a recording", () => {
  it("is refused where it cannot be kept to", async () => {
    const { scenario, recording } = scenarioFile(texting({ perSecond: 1, lasts: "1m" }));
    const { code, stderr } = await handset([
      "run",
      scenario,
      "--max-size",
      "20MiB",
      "--recording",
      recording,
      "-q",
      "--no-report",
    ]);
    expect(stderr).toContain("128 MiB at least");
    expect(code).toBe(2);
  });

  // Slow: the run writes 128 MiB.
  it.runIf(isNightly)("is kept to: the run ends before, with 3, and says why", async () => {
    const { scenario, recording } = scenarioFile(texting({ perSecond: 100, lasts: "10h" }));
    const most = 128 * 2 ** 20;
    let largest = 0;
    const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    const watch = setInterval(() => {
      largest = Math.max(largest, sizeOf(recording) + sizeOf(`${recording}-wal`));
    }, 20);
    onTestFinished(() => clearInterval(watch));
    const flags = ["--pace", "max", "--max-size", "128MiB", "--json", "-q", "--no-report"];
    const { code, stdout } = await new RunProcess([scenario, "--recording", recording, ...flags]).ended;
    expect(code).toBe(3);
    const result = JSON.parse(stdout) as RunResult;
    expectClosed(result);
    expect(result.problems.join()).toContain("--max-size");
    expect(largest).toBeGreaterThan(0.5 * most);
    expect(largest).toBeLessThan(most);
    expect(sizeOf(recording)).toBeLessThan(most);
  });
});
