import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { openRecording, type RunResult } from "../../src/index.js";
import { builtHandset } from "../cli/built.js";
import { handset } from "../cli/terminal.js";
import { temporaryFolder } from "../support/folder.js";
import { isAlive } from "../support/process.js";
import { MortalReceiver } from "./mortal-receiver.js";
import { play, receiverThat, smallDay } from "./support.js";

/** The command as it is installed; `npm test` builds it first. */
const command = "dist/bin/handset.js";

interface Playing {
  readonly child: ChildProcess;
  readonly recording: string;
  readonly ended: Promise<{ code: number | null; stdout: string; stderr: string }>;
}

interface PlayingHere extends Omit<Playing, "child"> {
  readonly press: () => void;
}

function files(text: string): { scenario: string; recording: string } {
  const folder = temporaryFolder();
  const scenario = join(folder, "day.yaml");
  writeFileSync(scenario, text);
  return { scenario, recording: join(folder, "run.db") };
}

/** `handset run` in this process, which starts the part processes: another process costs a second of CPU time. */
function startHere(text: string, args: readonly string[]): PlayingHere {
  const { scenario, recording } = files(text);
  let press = (): void => undefined;
  const interrupts = (pressed: () => void): void => void (press = pressed);
  const ended = builtHandset(["run", scenario, "--recording", recording, ...args], { interrupts });
  return { recording, ended, press: () => press() };
}

/** `handset run` in a separate process. */
function start(text: string, args: readonly string[]): Playing {
  const { scenario, recording } = files(text);
  const child = spawn(process.execPath, [command, "run", scenario, "--recording", recording, ...args]);
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  const ended = once(child, "close").then(([code]) => ({ code: code as number | null, stdout, stderr }));
  return { child, recording, ended };
}

/** Ids of the part processes that a process has started. */
function partsOf(pid: number): number[] {
  const lines = execFileSync("ps", ["-A", "-o", "pid=,ppid=,args="]).toString().trim().split("\n");
  return lines
    .filter((line) => line.includes("part-process.js"))
    .map((line) => line.trim().split(/\s+/).map(Number))
    .filter(([, parent]) => parent === pid)
    .map(([id]) => id as number);
}

describe("--processes", () => {
  it("plays the same day in several processes, with one recording and one result", async () => {
    const receiver = await receiverThat((_, response) => response.end("{}"));
    const whole = await play(smallDay, { receiver: receiver.url });
    const { recording, ended } = startHere(smallDay, ["--processes", "2", "--json", "--receiver", receiver.url]);
    const { code, stdout } = await ended;
    const result = JSON.parse(stdout) as RunResult;
    expect(code).toBe(0);
    expect(result.digest).toBe(whole.result.digest);
    expect(result.ledger).toEqual(whole.result.ledger);
    expect(result.attempts).toEqual(whole.result.attempts);
    expect(result.recording).toBe(recording);
    expect(existsSync(`${recording}.parts`)).toBe(false);
    // Both runs posted all events.
    expect(receiver.got.length).toBe(2 * whole.result.attempts.accepted);
  });

  it("tells that their receiver died once for all of them, and ends with 1", async () => {
    const receiver = await MortalReceiver.start((_, response, nth) => {
      if (nth === 200) return "dies";
      response.end("{}");
      return "answered";
    });
    const { ended } = startHere(smallDay, ["--processes", "2", "--json", "--receiver", receiver.url]);
    const { code, stdout } = await ended;
    const result = JSON.parse(stdout) as RunResult;
    expect(code).toBe(1);
    const deaths = (result.findings ?? []).filter(({ kind }) => kind === "death");
    expect(deaths).toHaveLength(1);
    expect(deaths[0]?.text).toMatch(
      /^The receiver died at 0:\d\d:\d\d \(.*then refused\), after \d+ answers; under way: /,
    );
    expect(deaths[0]?.text).toContain(`after ${result.attempts.accepted} answers`);
    expect(result.problems.join()).toContain(deaths[0]?.text);
  });

  it("follows the wall clock, and begins when all are ready", async () => {
    const receiver = await receiverThat((_, response) => response.end("{}"));
    const args = ["--processes", "2", "--json", "--pace", "7200x", "--receiver", receiver.url];
    const { recording, ended } = startHere(smallDay, args);
    const { code, stdout } = await ended;
    expect(code).toBe(0);
    const result = JSON.parse(stdout) as RunResult;
    expect(result.attempts.accepted).toBe(receiver.got.length);
    expect(result.serviceMs?.p99).toBeGreaterThan(0);
    expect(result.latenessMs?.max).not.toBeNull();
    const reader = openRecording(recording);
    const times = [...reader.events()].map(({ atMs }) => atMs);
    reader.close();
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  });

  it("reports a process that is killed, stops the others and keeps what they have", async () => {
    let hasKilled = false;
    const receiver = await receiverThat((_, response) => {
      if (receiver.got.length === 20) {
        process.kill(partsOf(process.pid)[0] as number, "SIGKILL");
        hasKilled = true;
      }
      setTimeout(() => response.end("{}"), 2);
    });
    const playing = startHere(smallDay, ["--processes", "2", "--receiver", receiver.url]);
    const { code, stderr } = await playing.ended;
    expect(hasKilled).toBe(true);
    expect(code).toBe(3);
    expect(stderr).toMatch(/the process of part \d of 2 ended \(SIGKILL\) before its part had/);
    expect(existsSync(playing.recording)).toBe(false);
    const parts = readdirSync(`${playing.recording}.parts`).filter((name) => name.endsWith(".db"));
    expect(parts.sort()).toEqual(["1.db", "2.db"]);
    for (const part of parts) openRecording(join(`${playing.recording}.parts`, part)).close();
  });

  it("tells what a process said before it ended", async () => {
    const preload = join(temporaryFolder(), "fails.mjs");
    writeFileSync(
      preload,
      `if (process.argv[1].endsWith("part-process.js")) { console.error("no room left\\nat all"); process.exit(9); }`,
    );
    vi.stubEnv("NODE_OPTIONS", `--import ${preload}`);
    onTestFinished(() => void vi.unstubAllEnvs());
    const { ended } = startHere(smallDay, ["--processes", "2", "--receiver", "none"]);
    const { code, stderr } = await ended;
    expect(code).toBe(3);
    expect(stderr).toContain("ended (exit 9) before its part had; its stderr:\n  no room left\n  at all\n");
  });

  it("ends all of them on Ctrl-C, with a summary of what was played", async () => {
    const receiver = await receiverThat((_, response) => {
      if (receiver.got.length === 60) playing.press();
      setTimeout(() => response.end("{}"), 2);
    });
    const playing = startHere(smallDay, ["--processes", "2", "--receiver", receiver.url]);
    const { code, stdout } = await playing.ended;
    expect(code).toBe(1);
    expect(stdout).toContain("stopped by hand");
    const reader = openRecording(playing.recording);
    const posted = [...reader.attempts()].length;
    reader.close();
    expect(posted).toBe(receiver.got.length);
  });

  it("leaves nobody behind when it is killed itself", async () => {
    let children: number[] = [];
    const receiver = await receiverThat((_, response) => {
      if (children.length === 0) {
        children = partsOf(playing.child.pid as number);
        playing.child.kill("SIGKILL");
      }
      setTimeout(() => response.end("{}"), 2);
    });
    const playing = start(smallDay, ["--processes", "2", "--receiver", receiver.url]);
    await playing.ended;
    expect(children.length).toBe(2);
    await expect.poll(() => children.filter(isAlive)).toEqual([]);
  });

  it("says once what is wrong with a scenario, and leaves nothing behind", async () => {
    const crossing = `${smallDay}  - at: 1m\n    text: { from: farmers/0, to: clinic/3, body: hi }\n`;
    const { recording, ended } = startHere(crossing, ["--processes", "2", "--receiver", "none"]);
    const { code, stderr } = await ended;
    expect(code).toBe(2);
    expect(stderr.match(/this scenario cannot be played in 2 parts/g)?.length).toBe(1);
    expect(existsSync(`${recording}.parts`)).toBe(false);
  });

  it.each([
    [["--shard", "1/2"], "--shard does not work with --processes"],
    [["--api", "0"], "--api does not work with --processes"],
    [["--data", "account.yaml"], "--data does not work with --processes"],
    [["--", "true"], "a command does not work with --processes"],
  ])("does not go with %s", async (args, message) => {
    const scenario = join(temporaryFolder(), "day.yaml");
    writeFileSync(scenario, smallDay);
    const { code, stderr } = await handset(["run", scenario, "--processes", "2", ...args]);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });
});
