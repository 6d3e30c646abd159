import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openRecording, resultOf } from "../../src/index.js";
import { temporaryFolder } from "../support/folder.js";
import { receiverThat, smallDay } from "./support.js";

/** The command as it is installed; `npm test` builds it first. */
const command = "dist/bin/handset.js";

/** Starts a run against a receiver, and sends it the signals when `count` events have come to the receiver. */
async function interrupted(count: number, signals: readonly NodeJS.Signals[]) {
  const folder = temporaryFolder();
  const scenario = join(folder, "day.yaml");
  const recording = join(folder, "run.db");
  writeFileSync(scenario, smallDay);
  const answered: string[] = [];
  const receiver = await receiverThat((body, response) => {
    if (answered.push(body) === count) for (const signal of signals) child.kill(signal);
    setTimeout(() => response.end("{}"), 1);
  });
  const child = spawn(process.execPath, [
    command,
    "run",
    scenario,
    "--receiver",
    receiver.url,
    "--recording",
    recording,
  ]);
  let stdout = "";
  child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.resume();
  const [code, signal] = (await once(child, "close")) as [number | null, NodeJS.Signals | null];
  return { recording, answered, stdout, code, signal };
}

describe("a run that is killed", () => {
  it.each([20, 400])("after %i events leaves a readable recording of what was answered", async (count) => {
    const { recording, answered, signal } = await interrupted(count, ["SIGKILL"]);
    expect(signal).toBe("SIGKILL");
    const reader = openRecording(recording);
    const attempts = [...reader.events()].flatMap((event) => event.attempts.map(() => event.body));
    const result = resultOf(reader);
    reader.close();
    // Each recorded answer was given, and is recorded once. At most the last batch of 250 is missing.
    expect(new Set(attempts).size).toBe(attempts.length);
    expect(attempts.filter((body) => !answered.includes(body))).toEqual([]);
    expect(answered.length - attempts.length).toBeLessThanOrEqual(250);
    expect(result.problems.join()).toContain("the run has not ended");
  });
});

describe("Ctrl-C", () => {
  it("ends a run cleanly, with a summary of what was played", async () => {
    const { recording, answered, stdout, code } = await interrupted(100, ["SIGINT"]);
    expect(code).toBe(1);
    expect(stdout).toContain("stopped by hand");
    const reader = openRecording(recording);
    const result = resultOf(reader);
    reader.close();
    expect(result.attempts.accepted).toBe(answered.length);
    expect(result.lost).toBe(0);
  });
});
